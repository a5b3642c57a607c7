import { isIPv6, type LookupFunction } from 'node:net'
import { areAllPublic, type ResolveName } from './address-guard.ts'

/** Thrown instead of connecting to an address that is not on the public Internet. */
export class AddressRefusedError extends Error {}

/**
 * Returns a lookup that rejects private addresses. It checks the addresses that are actually connected to, so a name that
 * resolves differently the second time cannot bypass the check.
 */
export const guardedLookup =
  (resolve: ResolveName): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (!areAllPublic(addresses))
          return callback(new AddressRefusedError(`${hostname} does not resolve to public addresses only.`), [])
        const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
        const [first] = found
        if (options.all) callback(null, found)
        else callback(null, first?.address ?? '', first?.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
