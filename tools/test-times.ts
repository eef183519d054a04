import { join, relative } from 'node:path'
import type { TestModule } from 'vitest/node'

const repository = join(import.meta.dirname, '..')

/** Loading included: it is part of the time of the run. */
export function secondsOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
  return (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1_000
}

export const pathOf = ({ moduleId }: { moduleId: string }) => relative(repository, moduleId)

export function listFolderTimes(modules: readonly TestModule[]): { name: string; files: number; seconds: number }[] {
  return [...Map.groupBy(modules, folderOf)].map(([name, ofFolder]) => ({
    name,
    files: ofFolder.length,
    seconds: ofFolder.reduce((sum, module) => sum + secondsOf(module), 0),
  }))
}

/** `server/test/groups/members.test.ts` belongs to `server/test/groups`, a file without a folder to `server/test`. */
export function folderOf(file: { moduleId: string }): string {
  return pathOf(file)
    .split('/')
    .slice(0, 3)
    .join('/')
    .replace(/\/[^/]+\.test\.tsx?$/, '')
}
