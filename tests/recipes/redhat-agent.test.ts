import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openWorld as openAgentWorld } from '../../agent/test/world.ts'
import { loadPackageContent } from '../../server/src/features/deployments/started-work/package-content.ts'
import { openPackageWorld } from '../../server/test/packages/package-world.ts'
import { commandsIn } from '../command-line/muster-command.ts'
import { makeRpmRepository, whyNoRpm } from '../repository-packages/rpm-repository.ts'
import { makeSigningKey } from '../repository-packages/signing-key.ts'
import { exampleRecipes, recipesFolder } from './example-recipes.ts'

const names = exampleRecipes
  .filter(({ name }) => name.startsWith('redhat/'))
  .map(({ manifest }) => (manifest.source?.package ?? '').replace('rpm:', ''))
const label = whyNoRpm === undefined ? 'with dnf' : `with dnf: NOT RUN, ${whyNoRpm}`

/** A computer with Fedora in a folder whose own repository is this one, and its agent. The tools are those of the machine. */
async function openComputer(repository: string) {
  const agent = await openAgentWorld()
  const system = join(agent.root, 'system')
  for (const folder of ['etc/dnf', 'etc/yum.repos.d']) await mkdir(join(system, folder), { recursive: true })
  await writeFile(join(system, 'etc/dnf/dnf.conf'), '[main]\nbest=True\n')
  await writeFile(join(system, 'etc/os-release'), 'ID="fedora"\nPRETTY_NAME="A test of fedora"\n')
  const own = `[own]\nname=own\nbaseurl=file://${repository}\ngpgcheck=0\nenabled=1\n`
  await writeFile(join(system, 'etc/yum.repos.d/own.repo'), own)
  agent.environment.MUSTER_SYSTEM_ROOT = system
  await agent.installFakeTool('rpm', `exec /usr/bin/rpm --root '${system}' "$@"`)
  const repositories = `--setopt=reposdir='${system}/etc/yum.repos.d'`
  await agent.installFakeTool('dnf', `exec /usr/bin/dnf --installroot='${system}' --releasever=1 ${repositories} "$@"`)
  const installed = () =>
    execFileSync('rpm', ['--root', system, '-qa', '--qf', '%{NAME}\\n'], { encoding: 'utf8' })
      .split('\n')
      .filter((name) => names.includes(name))
      .toSorted()
  return { agent, installed }
}

describe.runIf(whyNoRpm === undefined)(`recipes for Red Hat and Fedora ${label}`, () => {
  test('each becomes a package that the agent installs and removes by its name', { timeout: 300_000 }, async () => {
    const world = await openPackageWorld()
    const { muster } = await commandsIn(world)
    const key = makeSigningKey()
    const versions = names.map((name) => ({ name, version: '1.0' }))
    const { agent, installed } = await openComputer(await makeRpmRepository(key, versions))
    /** Gives the agent what the service would hand out, and returns the results. */
    async function work(kind: 'Install' | 'Uninstall', packageIds: readonly string[]) {
      const workIds: number[] = []
      for (const id of packageIds) {
        const { source = expect.fail() } = (await loadPackageContent(world.db, id)).declared ?? {}
        workIds.push(
          agent.server.give({ kind, declared: { source: { allowDowngrade: false, timeLimitMinutes: 60, ...source } } }),
        )
      }
      const { output } = await agent.start('run', '--once').ended
      return workIds.map((workId) => agent.server.resultOf(workId)?.status ?? expect.fail(output))
    }

    const applied = await muster('packages', 'recipes', 'apply', `${recipesFolder}/redhat`)
    const planned = await muster('packages', 'recipes', 'plan', `${recipesFolder}/redhat`, '-o', 'json')
    const ids = (JSON.parse(planned.out) as { packageId: string }[]).map(({ packageId }) => packageId)
    const added = await work('Install', ids)
    const afterInstall = installed()
    const removed = await work('Uninstall', ids)
    key.end()

    expect(applied.code).toBe(0)
    expect([...added, ...removed]).toEqual([...ids, ...ids].map(() => 'Success'))
    expect(afterInstall).toEqual(names.toSorted())
    expect(installed()).toEqual([])
  })
})
