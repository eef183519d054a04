import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signPackage } from '@muster/package-format'
import { generateSecretKey } from '@muster/signing'
import { expect, test } from 'vitest'
import { designateAgentPackage } from '../../src/features/agent-installation/api/designate-agent-package.ts'
import { createEnrolmentToken } from '../../src/features/enrolment/api/create-enrolment-token.ts'
import { setReadyToInstall } from '../../src/features/packages/api/set-ready-to-install.ts'
import { manifestOf, openPackageWorld } from '../packages/package-world.ts'
import { agentArchive, openProxy, runOnSystem, sha256Of } from './target-system.ts'

const key = generateSecretKey()
const { app, as, folder, imported, store } = await openPackageWorld({ trustedKeys: [key.publicKey] })
const origin = await app.http.listen({ host: '127.0.0.1', port: 0 })
const [x64, arm64] = [await agentArchive('agent-x64'), await agentArchive('agent-arm64')]
await release('1.0', x64)

/** Signs and imports a package of the agent, and releases and designates it unless the test does not want that. */
async function release(version: string, forX64: Buffer, isReleased = true): Promise<void> {
  const name = `muster-agent-${version}`
  await folder(name, {
    'muster-package.json': manifestOf({ name: 'muster-agent', version }),
    'muster-agent-linux-x64.tar.gz': forX64,
    'muster-agent-linux-arm64.tar.gz': arm64,
  })
  await signPackage(join(store, name), key)
  const { packageId } = await imported(name, true)
  const request = { params: { id: packageId ?? '' }, body: { operational: true } }
  if (!isReleased) return
  expect((await as('package.write').call(setReadyToInstall, request)).status).toBe(200)
  const designation = { params: { platform: 'Linux' as const }, body: { packageId: packageId ?? '' } }
  expect((await as('admin.manage').call(designateAgentPackage, designation)).status).toBe(200)
}

/** The command that installs from an address with a token. `change` is a command of sed for the script. */
const installFrom = (address: string, { token = 'enrol-x', change = '', options = '' } = {}) =>
  `script=$(curl -fsSL ${address}/install/linux.sh | sed '${change}') && printf %s ${token} | sh -c "$script" install ${options}`

const machine = (name: string) => ({ uname: `case "$1" in -s) echo Linux ;; *) echo ${name} ;; esac` })

test('each computer gets the program for its architecture, and the script passes its options on', async () => {
  const noted = 'echo "$@" >> "$MUSTER_INSTALL_ROOT/requests"; exec /usr/bin/curl "$@"'
  const command = installFrom(origin, { options: '--ca /etc/own-authority.pem' })

  const intel = await runOnSystem(command, { ...machine('x86_64'), curl: noted })
  const arm = await runOnSystem(installFrom(origin), machine('aarch64'))

  expect(await intel.left('enrolled')).toBe(`agent-x64: enrol --server ${origin} --ca /etc/own-authority.pem\n`)
  expect(await arm.left('enrolled')).toBe(`agent-arm64: enrol --server ${origin}\n`)
  expect(await intel.left('requests')).toMatch(/--cacert \/etc\/own-authority\.pem .*\/install\/files\//)
})

test('a download that fails at first is repeated', async () => {
  let failures = 0
  const unsteady = await openProxy(origin, (path) =>
    path.startsWith('/install/files/') && failures++ === 0 ? { status: 503 } : undefined,
  )

  const { code } = await runOnSystem(installFrom(unsteady), machine('x86_64'))

  expect([code, failures > 1]).toEqual([0, true])
})

test('a file that the signed manifest does not list is refused', async () => {
  const own = /^manifest='(\w+)'$/m.exec(await (await fetch(`${origin}/install/linux.sh`)).text())?.[1]

  const { code, output, files } = await runOnSystem(
    installFrom(origin, { change: `s/^sha256_x64=.*/sha256_x64=${own}/` }),
    machine('x86_64'),
  )

  expect([code, output]).toEqual([1, expect.stringContaining('the signed manifest does not list the file')])
  expect(files).toEqual([])
})

test('the signed manifest of another package is refused, although it lists the file', async () => {
  const files = { 'muster-package.json': manifestOf({ name: 'other' }), 'muster-agent-linux-x64.tar.gz': x64 }
  await folder('other', files)
  await signPackage(join(store, 'other'), key)
  const manifest = await readFile(join(store, 'other/muster-package.json'))
  const signature = await readFile(join(store, 'other/muster-package.json.minisig'))
  const contents = new Map([manifest, signature].map((content) => [sha256Of(content), content]))
  const mixed = await openProxy(origin, (path) => {
    const content = contents.get(path.split('/').at(-1) ?? '')
    return content && { status: 200, content }
  })
  const change = `s/^manifest=.*/manifest=${sha256Of(manifest)}/; s/^signature=.*/signature=${sha256Of(signature)}/`

  const outcome = await runOnSystem(installFrom(mixed, { change }), machine('x86_64'))

  expect([outcome.code, outcome.output]).toEqual([1, expect.stringContaining('the signed manifest does not list')])
  expect(outcome.files).toEqual([])
})

test('a refused enrolment leaves an earlier state and a lost answer leaves the identity, and nothing else', async () => {
  const state = 'var/lib/muster-agent'
  const settings = `${state}/settings.json`

  const refused = await runOnSystem(installFrom(origin, { token: 'wrong' }), machine('x86_64'))
  const again = await runOnSystem(installFrom(origin, { token: 'wrong' }), machine('x86_64'), [settings])
  const lost = await runOnSystem(installFrom(origin, { token: 'lost' }), machine('x86_64'))

  expect([refused.code, again.code, lost.code]).toEqual([1, 1, 1])
  expect(refused.files).toEqual([])
  expect(again.files).toEqual([state, `${state}/journal`, settings])
  expect(lost.files).toEqual([state, `${state}/identity.json`, `${state}/journal`])
})

test('a script of which only a part has arrived does nothing', async () => {
  const everyPart = `curl -fsSL ${origin}/install/linux.sh > "$MUSTER_INSTALL_ROOT/bin/all"
    lines=$(grep -n '^main "\\$@"$' "$MUSTER_INSTALL_ROOT/bin/all" | cut -d: -f1)
    count=1
    while [ "$count" -lt "$lines" ]; do
      head -n "$count" "$MUSTER_INSTALL_ROOT/bin/all" > "$MUSTER_INSTALL_ROOT/bin/part"
      printf enrol-x | sh "$MUSTER_INSTALL_ROOT/bin/part" 2> /dev/null
      count=$((count + 1))
    done; echo "$count parts"`

  const { files, output } = await runOnSystem(everyPart, machine('x86_64'))

  expect(Number(output.split(' ')[0])).toBeGreaterThan(100)
  expect(files).toEqual([])
})

test('a newer package that is not released is not installed', async () => {
  await release('1.1', await agentArchive('agent-unreleased'), false)

  const { left } = await runOnSystem(installFrom(origin), machine('x86_64'))

  expect(await left('enrolled')).toContain('agent-x64: enrol')
})

test('a program that does not run on the system is refused before it enrols', async () => {
  await release('2.0', await agentArchive('agent-broken', 'exit 127'))

  const { code, output, files } = await runOnSystem(installFrom(origin), machine('x86_64'))

  expect([code, output]).toEqual([1, expect.stringContaining('does not run on this system')])
  expect(files).toEqual([])
})

test('the commands for agents of others contain the address and the token, for each operating system', async () => {
  const body = { expiresAtUtc: '2099-01-01T00:00:00.000Z' }
  const { token, commands } = (await as('admin.manage').call(createEnrolmentToken, { body })).body

  const server = `http://localhost:80/agent/fusion/${token}`
  expect(commands?.linuxGlpi).toContain(`'server = ${server}' > /etc/glpi-agent/conf.d/muster.cfg`)
  expect(commands?.linuxFusion).toContain(`'server = ${server}' >> /etc/fusioninventory/agent.cfg`)
  expect(commands?.windowsGlpi).toContain(`reg.exe add HKLM\\SOFTWARE\\GLPI-Agent /v server /d ${server} /f`)
  expect(commands?.windowsFusion).toContain(
    `reg.exe add HKLM\\SOFTWARE\\FusionInventory-Agent /v server /d ${server} /f`,
  )
  expect(commands?.macGlpi).toContain(`'server = ${server}' > /Applications/GLPI-Agent/etc/conf.d/muster.cfg`)
  expect(commands?.macFusion).toContain(`'server = ${server}' >> /opt/fusioninventory-agent/agent.cfg`)
})

test('only plain HTTP to another computer is allowed explicitly in the command', async () => {
  const commandAt = async (host: string) => {
    const headers = { host }
    const body = { expiresAtUtc: '2099-01-01T00:00:00.000Z' }
    return (await as('admin.manage').call(createEnrolmentToken, { headers, body })).body.commands?.linux
  }

  expect(await commandAt('muster.example.org')).toMatch(/ install --insecure$/)
  expect(await commandAt('127.0.0.1:5057')).not.toContain('--insecure')
})
