import { describe, expect, test } from 'vitest'
import { openWorld as openAgentWorld } from '../../agent/test/world.ts'
import { loadPackageContent } from '../../server/src/features/deployments/started-work/package-content.ts'
import { openPackageWorld } from '../../server/test/packages/package-world.ts'
import { aptLabel, missingTools, openInstallation, openRepository } from '../../server/test/world/private-apt.ts'
import { commandsIn } from '../command-line/muster-command.ts'
import { exampleRecipes, recipesFolder } from './example-recipes.ts'

const recipes = exampleRecipes.filter(({ name }) => name.startsWith('debian/'))
const names = recipes.map(({ manifest }) => (manifest.source?.package ?? '').replace('deb:', ''))

describe.runIf(missingTools.length === 0)(`recipes for Debian ${aptLabel}`, () => {
  test('each becomes a package that the agent installs and removes by its name', { timeout: 180_000 }, async () => {
    const { db, ...world } = await openPackageWorld()
    const { muster } = await commandsIn({ ...world, db } as typeof world)
    const repository = await openRepository()
    await repository.offer(
      'stable',
      names.map((name) => ({ name, version: '1.0' })),
    )
    const agent = await openAgentWorld()
    const installation = await openInstallation(repository, ['stable'])
    Object.assign(agent.environment, installation.environment)
    /** Gives the agent what the service would hand out, and returns the results. */
    async function work(kind: 'Install' | 'Uninstall', packageIds: readonly string[]) {
      const workIds: number[] = []
      for (const id of packageIds) {
        const { declared } = await loadPackageContent(db, id)
        workIds.push(
          agent.server.give({
            kind,
            declared: {
              source: { allowDowngrade: false, timeLimitMinutes: 60, ...(declared?.source ?? expect.fail()) },
            },
          }),
        )
      }
      const { output } = await agent.start('run', '--once').ended
      return workIds.map((workId) => agent.server.resultOf(workId) ?? expect.fail(output))
    }

    const applied = await muster('packages', 'recipes', 'apply', `${recipesFolder}/debian`, '-o', 'json')
    const planned = await muster('packages', 'recipes', 'plan', `${recipesFolder}/debian`, '-o', 'json')
    const ids = (JSON.parse(planned.out) as { packageId: string }[]).map(({ packageId }) => packageId)
    const installed = await work('Install', ids)
    const afterInstall = installation.installed()
    const removed = await work('Uninstall', ids)

    expect(applied.code).toBe(0)
    expect(ids).toHaveLength(recipes.length)
    expect(installed.map(({ status, installationState }) => [status, installationState])).toEqual(
      ids.map(() => ['Success', 'Installed']),
    )
    expect(afterInstall).toEqual(Object.fromEntries(names.map((name) => [name, '1.0'])))
    expect(removed.map(({ status }) => status)).toEqual(ids.map(() => 'Success'))
    expect(installation.installed()).toEqual({})
  })
})
