import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { generateSecretKey } from '@muster/signing'
import { describe, expect, test } from 'vitest'
import { contentPathOf } from '../../server/src/features/packages/content/content-folder.ts'
import { manifestOf } from '../../server/test/packages/package-world.ts'
import { openTemporaryFolder } from '../../server/test/world/temporary-folder.ts'
import { bundleAgent } from '../../tools/package/agent-bundle.ts'
import { buildExecutable } from '../../tools/package/agent-executable.ts'
import { commandsOf, type InstallWorld, openInstallWorld, release } from './install-world.ts'
import { testWindowsInstaller } from './windows-installer.ts'

const run = promisify(execFile)
const architectureHere = process.arch === 'arm64' ? 'arm64' : 'x64'
const [key, foreignKey] = [generateSecretKey(), generateSecretKey()]
const unsigned = await openInstallWorld([])
const signed = await openInstallWorld([key.publicKey])

/** Imports and releases a package of the agent, in which scripts stand in for the agent and its setup. */
async function releaseAgent(world: InstallWorld, version: string, signer?: typeof key) {
  const name = `muster-agent-${version}`
  const archive = await archiveOf(version)
  await world.folder(name, {
    'muster-package.json': manifestOf({ name: 'muster-agent', version }),
    'muster-agent-linux-x64.tar.gz': archive,
    'muster-agent-linux-arm64.tar.gz': archive,
    'other.txt': 'not for everybody',
  })
  await release(world, name, signer)
}

async function archiveOf(version: string): Promise<Buffer> {
  const tree = await openTemporaryFolder()
  const scripts = {
    'usr/lib/muster-agent/muster-agent': agentScript(version),
    'usr/lib/muster-agent/setup': 'echo done > "$MUSTER_INSTALL_ROOT/set-up"',
    'etc/muster-agent/agent.env': '# new',
  }
  for (const [path, script] of Object.entries(scripts)) {
    await mkdir(dirname(join(tree, path)), { recursive: true })
    await writeFile(join(tree, path), `#!/bin/sh\n${script}\n`)
    await chmod(join(tree, path), 0o755)
  }
  await run('tar', ['-czf', `${tree}.tar.gz`, '-C', tree, '.'])
  return readFile(`${tree}.tar.gz`)
}

/** Stands in for the agent: it enrols the computer, except with a token that begins with `wrong`. */
const agentScript = (version: string) => `
if [ "$1" = --version ]; then echo ${version}; exit; fi
mkdir -p "$MUSTER_AGENT_STATE/journal"
case "$MUSTER_AGENT_TOKEN" in wrong*) echo 'The token is unknown.' >&2; exit 1 ;; esac
echo "$@ with $MUSTER_AGENT_TOKEN" >> "$MUSTER_INSTALL_ROOT/enrolled"
echo ${version}`

/** Runs a command of an enrolment token on a system that is a folder, with these programs before the others. */
async function install(command: string, programs: Record<string, string> = {}) {
  const root = await openTemporaryFolder()
  const all = { sudo: 'exec "$@"', id: 'echo 0', ...programs }
  await mkdir(join(root, 'usr/lib'), { recursive: true })
  for (const [name, script] of Object.entries(all)) {
    await mkdir(join(root, 'bin'), { recursive: true })
    await writeFile(join(root, 'bin', name), `#!/bin/sh\n${script}\n`)
    await chmod(join(root, 'bin', name), 0o755)
  }
  const env = { PATH: `${root}/bin:${process.env.PATH}`, MUSTER_INSTALL_ROOT: root }
  const outcome = await run('sh', ['-c', command], { env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, output: stderr }),
  )
  return {
    ...outcome,
    left: (name: string) => readFile(join(root, name), 'utf8').catch(() => undefined),
    /** Everything in the system but the programs above. */
    files: async () =>
      (await readdir(root, { recursive: true })).filter((name) => !/^bin\b|^(usr|var)(\/lib)?$/.test(name)),
  }
}

const scriptOf = async ({ origin }: InstallWorld) => (await fetch(`${origin}/install/linux.sh`)).text()
const hashIn = (script: string) => /sha256_x64='(\w+)'/.exec(script)?.[1] ?? ''

test('without a released package of the agent there is no script, and the command of a token enrols an installed one', async () => {
  const answer = await fetch(`${unsigned.origin}/install/linux.sh`)

  expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'AgentPackageMissing' }])
  const { token, linux, windows, windowsGlpi } = await commandsOf(unsigned)
  expect(linux).toContain(`MUSTER_AGENT_TOKEN=${token} muster-agent enrol --server ${unsigned.origin}`)
  expect(windows).toMatch(
    /^start \/wait %SystemRoot%\\System32\\msiexec.exe \/i muster-agent.msi \/qn && set MUSTER_AGENT_TOKEN=/,
  )
  expect(windows).toContain(`=${token}&& "%ProgramFiles%\\Muster\\muster-agent" enrol --server ${unsigned.origin}`)
  expect(windowsGlpi).toContain(`${unsigned.origin}/agent/fusion/${token}`)
})

describe('with a released package', () => {
  test('the command of a token installs the agent and enrols it, without the token among arguments', async () => {
    await releaseAgent(unsigned, '1.0')
    const { linux, token } = await commandsOf(unsigned)
    const noted = (program: string) => `echo "$@" >> "$MUSTER_INSTALL_ROOT/arguments"; ${program}`
    const programs = { sudo: noted('exec "$@"'), curl: noted('exec /usr/bin/curl "$@"') }

    const { code, left } = await install(linux, programs)

    expect(code).toBe(0)
    expect(await left('enrolled')).toBe(`enrol --server ${unsigned.origin} with ${token}\n`)
    expect(await left('set-up')).toBe('done\n')
    expect(await left('arguments')).toContain('/install/files/')
    expect(await left('arguments')).not.toContain(token)
  })

  test('the version that was imported last is installed, and the configuration of an earlier installation stays', async () => {
    await releaseAgent(unsigned, '2.0')
    const { linux } = await commandsOf(unsigned)
    const keepConfiguration =
      'mkdir -p "$MUSTER_INSTALL_ROOT/etc/muster-agent"; echo mine > "$MUSTER_INSTALL_ROOT/etc/muster-agent/agent.env"'

    const { output, left } = await install(`${keepConfiguration}; ${linux}`)

    expect(output).toContain('2.0')
    expect(await left('etc/muster-agent/agent.env')).toBe('mine\n')
  })

  test('a file has an address that can be cached forever, and other files of the package have none', async () => {
    const sha256 = hashIn(await scriptOf(unsigned))
    const address = `${unsigned.origin}/install/files/${sha256}`

    const head = await fetch(address, { method: 'HEAD' })
    const part = await fetch(address, { headers: { range: 'bytes=0-1' } })

    expect(head.status).toBe(200)
    expect(head.headers.get('cache-control')).toContain('public, max-age=31536000, immutable')
    expect(head.headers.get('etag')).toBe(`"${sha256}"`)
    expect([part.status, await part.bytes()]).toEqual([206, new Uint8Array([0x1f, 0x8b])])
    const { rows } = await unsigned.database.pool.query(
      `select encode(sha256, 'hex') as sha256 from package_files where path = 'other.txt'`,
    )
    expect((await fetch(`${unsigned.origin}/install/files/${rows[0].sha256}`)).status).toBe(404)
  })

  test('a file that was changed in the store after its import is not installed', async () => {
    const { linux } = await commandsOf(unsigned)
    const path = contentPathOf(unsigned.store, hashIn(await scriptOf(unsigned)))
    const original = await readFile(path)
    await chmod(path, 0o600)
    await writeFile(path, Buffer.from(original).reverse())

    const { code, output, files } = await install(linux)
    await writeFile(path, original)

    expect(code).toBe(1)
    expect(output).toContain('does not have the SHA-256')
    expect(await files()).toEqual([])
  })

  test('without a token, with a wrong one, on another system and without root, nothing is left behind', async () => {
    const script = `script=$(curl -fsSL ${unsigned.origin}/install/linux.sh) && sh -c "$script"`
    const withToken = `printf %s enrol-x | { ${script}; }`

    const outcomes = [
      await install(`${script} < /dev/null`),
      await install(withToken.replace('enrol-x', 'wrong')),
      await install(withToken, { uname: 'echo plan9' }),
      await install(withToken, { id: 'echo 1000' }),
    ]

    expect(outcomes.map(({ code }) => code)).toEqual([1, 1, 1, 1])
    expect(outcomes.map(({ output }) => output.trim())).toEqual([
      expect.stringContaining('the enrolment token is missing'),
      expect.stringContaining('the computer could not be enrolled'),
      expect.stringContaining('there is no agent for plan9'),
      expect.stringContaining('run it as root'),
    ])
    for (const { files } of outcomes) expect(await files()).toEqual([])
  })
})

describe('with trusted keys', () => {
  test('a package that none of them has signed is not served', async () => {
    await releaseAgent(signed, '1.0')
    await releaseAgent(signed, '1.1', foreignKey)

    expect((await fetch(`${signed.origin}/install/linux.sh`)).status).toBe(404)
  })

  test('the script installs what one of them has signed, and nothing that another key has signed', async () => {
    await releaseAgent(signed, '2.0', key)
    const { linux } = await commandsOf(signed)
    const trusting = (one: typeof key) =>
      `script=$(printf '%s' "$script" | sed 's|^keys=.*|keys=${one.publicKey.text}|')`
    const withForeignKey = linux.replace(' && ', ` && ${trusting(foreignKey)} && `)

    const installed = await install(linux)
    const refused = await install(withForeignKey)

    expect(installed.code).toBe(0)
    expect(await installed.left('enrolled')).toContain('enrol --server')
    expect(refused.code).toBe(1)
    expect(refused.output).toContain('none of the trusted keys has signed the agent')
    expect(await refused.files()).toEqual([])
  })
})

describe('for Windows', () => testWindowsInstaller(unsigned, signed, { key, foreignKey }))

// Building writes a file of more than 100 MB.
test('the agent as one file enrols, contacts the service and reports its version', { timeout: 120_000 }, async () => {
  const folder = await openTemporaryFolder()
  const agent = join(folder, 'muster-agent')
  await buildExecutable(await bundleAgent(folder, 'linux'), architectureHere, agent)
  const env = { MUSTER_AGENT_STATE: join(folder, 'state'), MUSTER_AGENT_INVENTORY: 'off', PATH: process.env.PATH }
  const { token } = await commandsOf(unsigned)
  const identity = ['--name', 'one-file', '--domain', 'corp', '--uuid', 'none', '--mac', '02:00:00:00:00:99']

  const enrolled = await run(agent, ['enrol', '--server', unsigned.origin, ...identity], {
    env: { ...env, MUSTER_AGENT_TOKEN: token },
  })
  await run(agent, ['run', '--once'], { env })

  expect(enrolled.stdout).toContain(`one-file is enrolled with ${unsigned.origin}`)
  const { rows } = await unsigned.database.pool.query(
    `select version, recent_runs <> '{}' as has_contacted from agents join computers on id = computer_id where name = 'one-file'`,
  )
  expect(rows).toEqual([{ version: (await run(agent, ['--version'])).stdout.trim(), has_contacted: true }])
})
