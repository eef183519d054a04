import { answerOf, type components } from '@muster/client'
import { changeQuery, command, dryRunOption } from '../command.ts'
import { findPackage, formatPackage } from '../names/packages.ts'
import { findPackageRequest } from '../names/requests.ts'
import type { Column } from '../output/output.ts'
import { timeOf } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'

type PackageRequest = components['schemas']['PackageRequest']

const states: readonly PackageRequest['state'][] = ['Pending', 'Approved', 'Declined']

const columns: readonly Column<PackageRequest>[] = [
  ['id', ({ requestId }) => requestId],
  ['state', ({ state }) => state],
  ['wish', ({ wish }) => wish],
  ['computer', ({ hostname }) => hostname],
  ['user', ({ userName }) => userName],
  ['requested', ({ requestedAtUtc }) => timeOf(requestedAtUtc)],
  ['package', ({ packageName }) => packageName],
]

const idArgument = ['<request>', 'Its id, the beginning of it, its computer, or what is wished'] as const

const list = command({
  name: 'package-requests list',
  summary: 'List the packages that users of computers ask for',
  options: [
    ['--state <state>', `${states.join(', ')}; Pending by default`, states],
    ['--limit <count>', 'List at most this many, 50 by default'],
  ],
  examples: [['muster package-requests list', 'What waits for a decision']],
  operations: ['listPackageRequests'],
  async run({ client, options, output }) {
    const query = { state: (options.state ?? 'Pending') as PackageRequest['state'] }
    await output.rows(
      columns,
      limited(client.pages('/api/package-requests', { query }), parseLimit(options.limit) ?? 50),
    )
  },
})

const show = command({
  name: 'package-requests show',
  summary: 'Show a package request with its reason and the decision',
  arguments: [idArgument],
  examples: [['muster package-requests show pc-01', 'Who asks, where and why']],
  operations: ['listPackageRequests', 'getPackageRequest'],
  async run({ args, client, output }) {
    const path = { id: await findPackageRequest(client, args[0] ?? '') }
    const request = await answerOf(client.GET('/api/package-requests/{id}', { params: { path } }))
    output.object(request, [
      ['State', request.state],
      ['Wish', request.wish],
      ['Reason', request.reason || undefined],
      ['Computer', request.hostname],
      ['User', `${request.userName}, ${request.requestedAtUtc}`],
      ['Package', [request.packageName, request.packageVersion].filter(Boolean).join(' ') || undefined],
      ['Decided by', request.decidedBy ?? undefined],
      ['Answer', request.answer || undefined],
    ])
  },
})

const approve = command({
  name: 'package-requests approve',
  summary: 'Approve a package request and deploy a package to its computer',
  arguments: [idArgument, ['<package>', 'Name or id of the package, with its version if there are several']],
  options: [['--answer <text>', 'What the user reads about the decision'], dryRunOption],
  examples: [
    ['muster package-requests approve 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11 firefox', 'The computer gets firefox'],
  ],
  operations: ['listFleetPackages', 'listPackageRequests', 'approvePackageRequest'],
  async run({ args, client, options, output }) {
    const chosen = await findPackage(client, args[1] ?? '')
    const request = await answerOf(
      client.POST('/api/package-requests/{id}/approval', {
        params: { path: { id: await findPackageRequest(client, args[0] ?? '') }, query: changeQuery(options) },
        body: { packageId: chosen.id, answer: String(options.answer ?? '') },
      }),
    )
    const verb = options.dryRun ? 'would get' : 'gets'
    output.result(request, `${request.hostname} ${verb} ${formatPackage(chosen)}.`)
  },
})

const decline = command({
  name: 'package-requests decline',
  summary: 'Decline a package request',
  arguments: [idArgument, ['<reason>', 'What the user reads about the decision']],
  options: [dryRunOption],
  examples: [
    ['muster package-requests decline 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11 "Please use the Viewer."', 'With a reason'],
  ],
  operations: ['listPackageRequests', 'declinePackageRequest'],
  async run({ args, client, options, output }) {
    const request = await answerOf(
      client.POST('/api/package-requests/{id}/refusal', {
        params: { path: { id: await findPackageRequest(client, args[0] ?? '') }, query: changeQuery(options) },
        body: { answer: args[1] ?? '' },
      }),
    )
    output.result(request, `The request ${options.dryRun ? 'would be' : 'is'} declined.`)
  },
})

export const packageRequests = [list, show, approve, decline]
