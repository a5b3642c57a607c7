import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inheritedEnv } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { useClient, watchUrl } from '@subtext/testbed'
import { usePlainSystem } from './use-plain-system.ts'

const CLIENT = fileURLToPath(new URL('../../../../clients/python', import.meta.url))
const HAS_WHAT_IT_NEEDS = 'import httpx, sys; sys.exit(sys.version_info < (3, 11))'

/** A Python that has httpx: the first one, or that of the system, which its packages belong to. */
const python = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', HAS_WHAT_IT_NEEDS]).status === 0,
)
const testWithPython = python ? test : test.skip

const system = usePlainSystem()
const client = useClient(system)

testWithPython(
  'the tests of the Python client pass, against a running service, too (needs Python 3.11 with httpx)',
  async () => {
    const env = {
      ...inheritedEnv(),
      PYTHONDONTWRITEBYTECODE: '1',
      SUBTEXT_API_KEY: client.key,
      SUBTEXT_API_BASE: system.baseUrl,
      SUBTEXT_TEST_VIDEO: watchUrl(SAMPLE_TALKS.english.id),
    }
    const { stderr } = await promisify(execFile)(
      python ?? '',
      ['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'],
      {
        cwd: CLIENT,
        env,
      },
    )
    // Python exits with 0 even if it found no test, or skipped some.
    expect(stderr).toMatch(/^Ran [1-9]\d+ tests in .*\n\nOK\n$/m)
  },
)
