import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that start services, databases and browsers, or ask very many questions. */
const slow =
  /\/(faults|backup|embedded-postgres|end-to-end|in-browser)\/|\/(packages|depots)\/\S*crash|\/simulator\/test\/(demo|service)|\/(resolution|state-machine)\.test/

/**
 * Starts what takes long before what does not, so that no worker is left alone with it at the end. Vitest does so by
 * what it remembers of the last run; in a fresh checkout it knows only the sizes of the files, which say little here.
 */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // A worker serves one project only, so that each stays together; most of the quick files are the server's.
    return sorted.toSorted(
      (a, b) => isOfServer(a) - isOfServer(b) || (isSameProject(a, b) ? isQuick(a) - isQuick(b) : 0),
    )
  }
}

const isOfServer = ({ project }: TestSpecification) => Number(project.name === 'server')
const isSameProject = (a: TestSpecification, b: TestSpecification) => a.project.name === b.project.name
const isQuick = ({ moduleId }: TestSpecification) => Number(!slow.test(moduleId))
