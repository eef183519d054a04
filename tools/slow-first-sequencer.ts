import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that start services, databases or browsers, or run very many cases. */
const slow =
  /\/(faults|backup|embedded-postgres|end-to-end|in-browser)\/|\/(packages|depot-server)\/\S*crash|\/simulator\/test\/(demo|service)|\/(resolution|state-machine|docs\/guides)\.test/

/**
 * Runs slow test files first, so that no worker is left with a slow file at the end. Vitest does the same with the
 * durations of the last run, but in a fresh checkout it knows only the file sizes, which say little about the duration.
 */
export class SlowFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // A worker runs one project only, so the files of a project stay together. Most quick files belong to the server.
    return sorted.toSorted(
      (a, b) => isOfServer(a) - isOfServer(b) || (isSameProject(a, b) ? isQuick(a) - isQuick(b) : 0),
    )
  }
}

const isOfServer = ({ project }: TestSpecification) => Number(project.name === 'server')
const isSameProject = (a: TestSpecification, b: TestSpecification) => a.project.name === b.project.name
const isQuick = ({ moduleId }: TestSpecification) => Number(!slow.test(moduleId))
