import type { Reporter, TestModule } from 'vitest/node'

const slowestFiles = 15

/** Says what each minute of a run went to: by folder, and for the slowest files. Files run side by side, so their times overlap. */
export class TimeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    // The times of a few files are in the list of the tests.
    if (modules.length <= slowestFiles) return
    const times = modules.map((module) => ({ module, seconds: secondsOf(module) }))
    const total = times.reduce((sum, { seconds }) => sum + seconds, 0)
    const folders = [...Map.groupBy(times, ({ module }) => folderOf(module))].map(([name, ofFolder]) => ({
      name,
      files: ofFolder.length,
      seconds: ofFolder.reduce((sum, { seconds }) => sum + seconds, 0),
    }))
    const byTime = <T extends { seconds: number }>(list: T[]) => list.toSorted((a, b) => b.seconds - a.seconds)
    console.log(`\n Time of ${modules.length} files: ${total.toFixed(0)} s, by folder`)
    for (const { name, files, seconds } of byTime(folders))
      console.log(`${seconds.toFixed(1).padStart(8)} s ${share(seconds, total)}  ${name} (${files})`)
    console.log(`\n Slowest files`)
    for (const { module, seconds } of byTime(times).slice(0, slowestFiles))
      console.log(`${seconds.toFixed(1).padStart(8)} s ${share(seconds, total)}  ${pathOf(module)}`)
    console.log()
  }
}

/** Loading included: it is part of the time of the run. */
function secondsOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
  return (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1_000
}

const share = (seconds: number, total: number) => `${((100 * seconds) / total).toFixed(1).padStart(5)} %`

const pathOf = ({ project, relativeModuleId }: TestModule) => `${project.name}/${relativeModuleId}`

/** `server/test/groups/members.test.ts` belongs to `server/test/groups`, a file without a folder to `server/test`. */
function folderOf(module: TestModule): string {
  return pathOf(module)
    .split('/')
    .slice(0, 3)
    .join('/')
    .replace(/\/[^/]+\.test\.tsx?$/, '')
}
