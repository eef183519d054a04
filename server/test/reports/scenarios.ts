import { createLicence } from '../../src/features/licences/api/create-licence.ts'
import { setMailServer } from '../../src/features/mail/api/set-mail-server.ts'
import { createReport } from '../../src/features/reports/api/create-report.ts'
import { runReport } from '../../src/features/reports/api/run-report.ts'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

let number = 0
const reportBody = () => ({ name: `report ${number++}`, kind: 'Software' as const, format: 'Csv' as const })
const licenceBody = () => ({ name: `licence ${number++}`, productPattern: 'Draw*', owned: 3 })

/** A report of the principal that calls each operation as its only role demands. */
async function report({ as }: World) {
  const { id } = (await as('computer.read').call(createReport, { body: reportBody() })).body
  return { params: { id } }
}

async function licence({ as }: World) {
  const { id } = (await as('package.write', 'computer.read').call(createLicence, { body: licenceBody() })).body
  return { params: { id } }
}

async function mailServer({ as }: World) {
  await as('admin.manage').call(setMailServer, {
    body: {
      host: 'localhost',
      port: 1,
      tlsMode: 'StartTls',
      fromAddress: 'muster@example.org',
      recipientDomains: ['example.org'],
    },
  })
  return {}
}

export const reportsScenarios: Record<string, Scenario> = {
  createReport: async () => ({ body: reportBody() }),
  getReport: report,
  updateReport: async (world) => ({ ...(await report(world)), body: { isPaused: true } }),
  deleteReport: report,
  runReport: report,
  listReportRuns: report,
  async getReportFile(world) {
    const { params } = await report(world)
    const run = (await world.as('computer.read').call(runReport, { params })).body
    await world.db
      .insertInto('report_files')
      .values({ run_id: run.id, format: 'Csv', content: Buffer.from('a') })
      .execute()
    return { params: { ...params, runId: run.id } }
  },
  createLicence: async () => ({ body: licenceBody() }),
  getLicence: licence,
  updateLicence: async (world) => ({ ...(await licence(world)), body: { owned: 4 } }),
  deleteLicence: licence,
  getMailServer: mailServer,
  setMailServer: async (world) => {
    await mailServer(world)
    return {
      body: {
        host: 'localhost',
        port: 2,
        tlsMode: 'Implicit',
        fromAddress: 'muster@example.org',
        recipientDomains: ['example.org'],
      },
    }
  },
  deleteMailServer: mailServer,
  testMailServer: async (world) => ({ ...(await mailServer(world)), body: { recipient: 'one@example.org' } }),
}
