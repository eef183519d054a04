import { readFile } from 'node:fs/promises'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readBudgets } from './test-budgets.ts'
import { kindOf } from './test-kinds.ts'
import { folderOf } from './test-times.ts'

/**
 * Runs slow test files first so that no worker is left with a slow file at the end. Vitest does the same with the
 * durations of the last run, but in a fresh checkout it knows only the file sizes, which say little about the duration.
 * Files that wait and files that compute take turns so that those that run at the same time do not all want a processor.
 */
export class SlowFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = bySecondsPerFile(await super.sort(files))
    const texts = await Promise.all(sorted.map(({ moduleId }) => readFile(moduleId, 'utf8')))
    const kinds = new Map(sorted.map((file, at) => [file, kindOf(texts[at] ?? '')]))
    // A worker runs one project only, so the files of a project stay together. Most quick files belong to the server.
    const projects = Map.groupBy(sorted, ({ project }) => project.name)
    const order = [...projects.keys()].toSorted((a, b) => placeOf(a) - placeOf(b))
    return order.flatMap((name) => {
      const ofKind = Map.groupBy(projects.get(name) ?? [], (file) => kinds.get(file))
      return [...interleave(ofKind.get('waiting'), ofKind.get('computing')), ...(ofKind.get('quick') ?? [])]
    })
  }
}

const placeOf = (project: string) => Number(project === 'server')

/** Files of folders whose files take long come first. */
function bySecondsPerFile(files: readonly TestSpecification[]): TestSpecification[] {
  const budgets = readBudgets()
  const folders = Map.groupBy(files, folderOf)
  const secondsOf = (file: TestSpecification) => {
    const folder = folderOf(file)
    return (budgets[folder] ?? 0) / (folders.get(folder)?.length ?? 1)
  }
  return files.toSorted((a, b) => secondsOf(b) - secondsOf(a))
}

/** Takes from both lists in proportion to their lengths. */
function interleave<T>(first: readonly T[] = [], second: readonly T[] = []): T[] {
  const placed = [first, second].flatMap((list) => list.map((item, at) => ({ item, place: (at + 0.5) / list.length })))
  return placed.toSorted((a, b) => a.place - b.place).map(({ item }) => item)
}
