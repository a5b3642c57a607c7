interface DisconnectAppsProps {
  checked: boolean
  onChange: (checked: boolean) => void
}

/** Asks, beside a new password, whether the applications and feed readers that have access to the account lose it. */
export function DisconnectApps({ checked, onChange }: DisconnectAppsProps) {
  return (
    <label className="flex items-start gap-2 text-sm">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 accent-accent"
      />
      Disconnect all applications, and end all feeds
    </label>
  )
}
