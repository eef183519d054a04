import { readFile } from 'node:fs/promises'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes long, by the words with which a test file uses it: browsers, processes, the demo, Wine, very many cases. */
const slowParts =
  /\binBrowser\b|\bopen(DemoFleet|WindowsWorld)\b|\bstart(Service|Muster|Program|Backup|Depot|Cluster)|\b(spawn|execFile)\(|\bfc\.assert\b|\btest\.each\(operations\b|\brecord(Locks|Plans)\b/

/**
 * Runs slow test files first, so that no worker is left with a slow file at the end. Vitest does the same with the
 * durations of the last run, but in a fresh checkout it knows only the file sizes, which say little about the duration.
 */
export class SlowFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const texts = await Promise.all(sorted.map(({ moduleId }) => readFile(moduleId, 'utf8')))
    const quick = new Set(sorted.filter((_, at) => !slowParts.test(texts[at] ?? '')))
    // A worker runs one project only, so the files of a project stay together. Most quick files belong to the server.
    return sorted.toSorted(
      (a, b) =>
        isOfServer(a) - isOfServer(b) || (isSameProject(a, b) ? Number(quick.has(a)) - Number(quick.has(b)) : 0),
    )
  }
}

const isOfServer = ({ project }: TestSpecification) => Number(project.name === 'server')
const isSameProject = (a: TestSpecification, b: TestSpecification) => a.project.name === b.project.name
