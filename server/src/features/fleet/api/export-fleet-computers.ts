import { csvContent, csvType, operation } from '../../../platform/operation.ts'
import { closed } from '../../../platform/schema.ts'
import { exportComputers, readComputerLines } from '../computer-list/export-computers.ts'
import { computerFilters } from '../computer-list/filter.ts'
import { sortParameters } from '../computer-list/sort.ts'
import { findSelectedSoftware } from '../software/find-products.ts'

export const exportFleetComputers = operation({
  id: 'exportFleetComputers',
  route: 'GET /api/fleet/computers/csv',
  summary: 'Export the computers that listFleetComputers lists as comma-separated values',
  description:
    'The same computers in the same order as on the pages of listFleetComputers, all of them. Issues, groups and software are ' +
    'separated by a semicolon; the column of the software exists if the list is filtered by it. A text that a spreadsheet would evaluate as a formula begins with an apostrophe. The ' +
    'answer is sent while it is read, so its length is not known in advance.',
  role: 'computer.read',
  execution: { kind: 'FleetRead' },
  extension: true,
  query: closed({ ...sortParameters, ...computerFilters }),
  answerType: csvType,
  returns: csvContent,
  async handle({ db, query, services, setHeader }) {
    setHeader('content-disposition', 'attachment; filename="computers.csv"')
    const software = await findSelectedSoftware(db, query)
    return exportComputers(
      (after) => services.fleetReads.run(() => readComputerLines(db, { filter: query, sort: query, software }, after)),
      software,
    )
  },
})
