import { useComputerHistoryTexts } from '../../../../texts/computer-history-texts.ts'
import { type DeadlineTexts, useDeadlineTexts } from '../../../../texts/deadline-texts.ts'
import { useFormat } from '../../../../texts/format.ts'
import { textFor, useTexts } from '../../../../texts/texts.tsx'

type Choice = keyof DeadlineTexts['choices']
type EventData = Record<string, unknown>

/** An event as a sentence, with what it is about in detail. */
type EventWords = { text: string; details: string }

const maxNames = 5

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 1)
const listOf = (value: unknown): EventData[] => (Array.isArray(value) ? (value as EventData[]) : [])

/** The first names of items, whatever their names are called. */
function namesOf(items: EventData[]): string {
  const names = items.map((item) =>
    [item.productName ?? item.name ?? item.displayName ?? item.volume ?? item.key, item.version]
      .filter((part) => typeof part === 'string')
      .join(' '),
  )
  return names
    .filter((name) => name !== '')
    .slice(0, maxNames)
    .join(', ')
}

/** Old and new values of changed properties. */
function changesOf(changes: unknown): string {
  if (typeof changes !== 'object' || changes === null) return ''
  return Object.entries(changes as Record<string, unknown>)
    .map(([name, change]) => `${name}: ${formatChange(change)}`)
    .join(', ')
}

function formatChange(change: unknown): string {
  if (typeof change !== 'object' || change === null) return String(change)
  const { from, to } = change as { from?: unknown; to?: unknown }
  return `${from ?? '–'} → ${to ?? '–'}`
}

export function useEventWords() {
  const { issues } = useTexts().computer
  const { events } = useComputerHistoryTexts()
  const deadlines = useDeadlineTexts()
  const format = useFormat()
  const nameOfPower = (action: unknown) => textFor(deadlines.power, textOf(action)) ?? deadlines.power.Reboot
  const nameOfIssue = (issue: unknown) => textFor(issues.names, textOf(issue)) ?? textOf(issue)
  const packageOf = (data: EventData) => [data.packageName, data.packageVersion].filter(Boolean).join(' ')
  const sentences: Record<string, (data: EventData) => EventWords> = {
    'muster.computer.created': () => ({ text: events.created, details: '' }),
    'muster.computer.enrolled': ({ agentKind, agentVersion }) => ({
      text: events.enrolled,
      details: [agentKind, agentVersion].filter(Boolean).join(' '),
    }),
    'muster.computer.changed': ({ changes }) => ({ text: events.changed, details: changesOf(changes) }),
    'muster.computer.silent': () => ({ text: events.silent, details: '' }),
    'muster.computer.back': () => ({ text: events.back, details: '' }),
    'muster.inventory.changed': ({ section, change, count, items }) => ({
      text: events.inventory(
        textFor(events.sections, textOf(section)) ?? textOf(section),
        textFor(events.changes, textOf(change)) ?? textOf(change),
        numberOf(count),
      ),
      details: namesOf(listOf(items)),
    }),
    'muster.issue.appeared': ({ issue }) => ({ text: events.issueAppeared(nameOfIssue(issue)), details: '' }),
    'muster.issue.cleared': ({ issue }) => ({ text: events.issueCleared(nameOfIssue(issue)), details: '' }),
    'muster.deployment.succeeded': (data) => ({ text: events.deployed(packageOf(data)), details: '' }),
    'muster.deployment.failed': (data) => ({ text: events.failed(packageOf(data)), details: textOf(data.error) }),
    'muster.work.choice': ({ choice, packageName, powerAction, user, programs }) => ({
      text: deadlines.choices[choice as Choice]?.(textOf(packageName) || nameOfPower(powerAction)) ?? textOf(choice),
      details: [textOf(user), ...listOf(programs).map(String)].filter(Boolean).join(', '),
    }),
    'muster.patch.missing': ({ count, patches }) => ({
      text: events.patchesMissing(numberOf(count)),
      details: namesOf(listOf(patches)),
    }),
    'muster.user.took-package': (data) => ({
      text: events.tookPackage(textOf(data.userName), packageOf(data)),
      details: '',
    }),
    'muster.user.postponed-work': ({ userName, untilUtc }) => ({
      text: events.postponedWork(textOf(userName), format.dateTime(textOf(untilUtc))),
      details: '',
    }),
    'muster.package-request.made': ({ userName, wish }) => ({
      text: events.requestMade(textOf(userName)),
      details: textOf(wish),
    }),
    'muster.package-request.decided': (data) => ({
      text: data.state === 'Approved' ? events.requestApproved(packageOf(data)) : events.requestDeclined,
      details: textOf(data.wish),
    }),
    'muster.patch.fixed': ({ count, patches }) => ({
      text: events.patchesFixed(numberOf(count)),
      details: namesOf(listOf(patches)),
    }),
  }
  return (type: string, data: EventData): EventWords => sentences[type]?.(data) ?? { text: type, details: '' }
}
