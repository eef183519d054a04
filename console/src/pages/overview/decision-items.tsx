import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Decision, DecisionKind } from '../../api/decisions.ts'
import { useFormat } from '../../texts/format.ts'
import { textFor, useTexts } from '../../texts/texts.tsx'
import classes from './overview.module.css'

type Item = Decision['items'][number]

type WaitingItemLineProps = { kind: DecisionKind; item: Item }

/** One thing that waits, with its page and what matters about it. */
export function WaitingItemLine({ kind, item }: WaitingItemLineProps) {
  const { approvals } = useTexts()
  const name = kind === 'Approval' ? (textFor(approvals.requests, item.name) ?? item.name) : item.name
  const to = addressOf(kind, item.id)
  const about = useAbout(kind, item)
  return (
    <li className="breakable">
      {to === undefined ? (
        name
      ) : (
        <Anchor component={Link} to={to} size="sm">
          {name}
        </Anchor>
      )}
      {about && <span className={classes.hint}> · {about}</span>}
    </li>
  )
}

/** The page of the thing itself. What has none is decided in the list of its kind. */
function addressOf(kind: DecisionKind, id: string): string | undefined {
  switch (kind) {
    case 'PausedRollout':
      return `/rollouts/${id}`
    case 'StoppedRule':
      return `/groups/${id}`
    case 'FailingPackage':
      return `/packages/${id}`
    case 'ExpiringSecret':
      return `/admin/principals/local/${id}`
    case 'AwayDepot':
      return `/computers/${id}`
    case 'StoppedWebhook':
      return `/admin/webhooks/${id}`
    default:
      return undefined
  }
}

function useAbout(kind: DecisionKind, { detail, atUtc }: Item): ReactNode {
  const { decisions: texts } = useTexts()
  const format = useFormat()
  if (kind === 'FailingPackage') return detail && texts.onComputers(Number(detail))
  if (kind === 'ExpiringSecret' || kind === 'ExpiringCertificate') {
    if (!atUtc) return null
    const date = format.dateTime(atUtc)
    return Date.parse(atUtc) > Date.now() ? texts.ends(date) : texts.ended(date)
  }
  const age = atUtc && (
    <time key="age" dateTime={atUtc} title={format.exactDateTime(atUtc)}>
      {format.age(atUtc)}
    </time>
  )
  const isForPeople = kind === 'Approval' || kind === 'PackageRequest' || kind === 'StoppedWebhook'
  return isForPeople && detail ? (
    <>
      {detail} · {age}
    </>
  ) : (
    age
  )
}
