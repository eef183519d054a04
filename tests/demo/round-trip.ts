import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { applyDesiredState } from '../../server/src/features/catalog/api/desired-state/apply-desired-state.ts'
import type { DesiredState } from '../../server/src/features/catalog/api/desired-state/document-schemas.ts'
import { getDesiredState } from '../../server/src/features/catalog/api/desired-state/get-desired-state.ts'
import { planDesiredState } from '../../server/src/features/catalog/api/desired-state/plan-desired-state.ts'
import { getPatchCatalogImport } from '../../server/src/features/patches/api/get-patch-catalog-import.ts'
import { importPatchCatalog } from '../../server/src/features/patches/api/import-patch-catalog.ts'
import { roleNames } from '../../server/src/platform/roles.ts'
import { until } from '../../server/test/database/embedded-postgres/muster.ts'
import { withImports } from '../../server/test/packages/package-world.ts'
import type { Caller, Json } from '../../server/test/world/caller.ts'
import { openWorld } from '../../server/test/world/open-world.ts'

type State = Json<DesiredState>

export const exportDesiredState = async (caller: Caller): Promise<State> => (await caller.call(getDesiredState)).body

/** Applies the state to an empty service with the same package store, and returns what that service exports. */
export async function recreate(state: State, store: string): Promise<State> {
  const world = await withImports({ ...(await openWorld({ configuration: { packageStore: store } })), store })
  const caller = world.as(...roleNames)
  const { variableDefinitions = [], customFields = [] } = state
  // Packages may have defaults for variables, and be for some values of variables and fields, which have to exist at the import.
  await applyAll(caller, { variableDefinitions, customFields })
  await Promise.all((await readdir(join(store, 'demo'))).map((folder) => world.imported(`demo/${folder}`)))
  const { trackingId } = (await caller.call(importPatchCatalog, { body: { folderPath: 'demo-patches' } })).body
  await until(async () => {
    const { body } = await caller.call(getPatchCatalogImport, { params: { trackingId } })
    return body.finishedAtUtc ? body : undefined
  }, 60_000)
  await applyAll(caller, state)
  return exportDesiredState(caller)
}

async function applyAll(caller: Caller, state: State): Promise<void> {
  const plan = (await caller.call(planDesiredState, { body: { state } })).body
  const body = {
    state,
    plan: plan.changes.map(({ fingerprint }) => fingerprint),
    secrets: Object.fromEntries(plan.secrets.map((reference) => [reference, 'a secret'])),
    maxSteps: 1000,
  }
  const { remaining } = (await caller.call(applyDesiredState, { body })).body
  if (remaining > 0) throw new Error(`${remaining} changes are left.`)
}
