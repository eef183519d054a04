import { ok, operation } from '../../../platform/operation.ts'
import type { Static } from '../../../platform/schema.ts'
import { findExpectedContact } from '../../agents/expected-contacts.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { getComputerById } from '../../computers/computer-rows.ts'
import { computerNotFound } from '../../computers/computers.ts'
import {
  findComputerState,
  listLatestErrors,
  listLatestEvents,
  listLatestTasks,
  listPackagesOfComputer,
} from '../pages/computer-page.ts'
import { ComputerPage } from './page-schemas.ts'

export const getComputerPage = operation({
  id: 'getComputerPage',
  route: 'GET /api/fleet/computers/:id',
  summary: 'Get everything that the page of a computer shows',
  description:
    'The computer with its health, issues, groups and packages, and the latest of its history, tasks and errors. All ' +
    'values are current. Inventory, patches and variables have operations of their own.',
  role: 'computer.read',
  extension: true,
  params: ComputerPath,
  returns: ok(ComputerPage),
  problems: [computerNotFound],
  async handle({ params: { id }, db }) {
    const computer = await getComputerById(db, id)
    const [state] = await findComputerState(db, id)
    if (!state) throw computerNotFound({ clientId: id })
    const { findings, ...values } = state
    return {
      computer,
      ...values,
      nextContactUtc: (await findExpectedContact(db, id))?.at ?? null,
      issues: findings.filter((finding) => finding !== null) as Static<typeof ComputerPage>['issues'],
      packages: await listPackagesOfComputer(db, id),
      latestEvents: await listLatestEvents(db, id),
      latestTasks: await listLatestTasks(db, id),
      latestErrors: await listLatestErrors(db, id),
    }
  },
})
