import { Anchor, Button, Text } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Decision, DecisionKind } from '../../api/decisions.ts'
import {
  IconBox,
  IconClipboardCheck,
  IconKey,
  IconLock,
  IconPackage,
  IconPlayerPause,
  IconServer,
  IconShieldHalf,
  IconSitemap,
  IconWebhook,
} from '../../components/icons.ts'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { WaitingItemLine } from './decision-items.tsx'
import classes from './overview.module.css'
import { WaitingAgents } from './waiting-agents.tsx'

type Look = { icon: TablerIcon; isBad?: boolean; list: string }

/** How each kind looks, and the list of all that waits. */
const looks: Record<DecisionKind, Look> = {
  PausedRollout: { icon: IconPlayerPause, isBad: true, list: '/rollouts?state=Paused' },
  QuarantinedAgent: { icon: IconShieldHalf, list: '/admin/enrolment' },
  Approval: { icon: IconClipboardCheck, list: '/admin/approvals?state=Pending' },
  PackageRequest: { icon: IconBox, list: '/package-requests?state=Pending' },
  StoppedRule: { icon: IconSitemap, isBad: true, list: '/groups' },
  FailingPackage: { icon: IconPackage, isBad: true, list: '/packages?failing=true' },
  ExpiringSecret: { icon: IconKey, list: '/admin/principals' },
  ExpiringCertificate: { icon: IconLock, isBad: true, list: '/admin/about' },
  AwayDepot: { icon: IconServer, isBad: true, list: '/infrastructure/depots' },
  StoppedWebhook: { icon: IconWebhook, isBad: true, list: '/admin/webhooks' },
}

/** What waits, by its kind. */
export function DecisionList({ decisions }: { decisions: readonly Decision[] }) {
  const { decisions: texts } = useTexts()
  return (
    <Section title={texts.heading}>
      <ul className={classes.decisions}>
        {decisions.map((decision) => (
          <DecisionRow key={decision.kind} decision={decision} />
        ))}
      </ul>
    </Section>
  )
}

function DecisionRow({ decision }: { decision: Decision }) {
  const { decisions: texts } = useTexts()
  const { kind, count, items } = decision
  const { icon: Icon, isBad = false, list } = looks[kind]
  const title = texts.title(decision)
  return (
    <li className={classes.decision} data-bad={isBad}>
      <Icon size={20} aria-hidden />
      <div>
        <Text fw={600} size="sm">
          {title}
        </Text>
        {kind === 'QuarantinedAgent' ? (
          <WaitingAgents count={count} />
        ) : (
          <ul className={classes.waitingItems}>
            {items.map((item) => (
              <WaitingItemLine key={item.id} kind={kind} item={item} />
            ))}
            {count > items.length && (
              <li>
                <Anchor component={Link} to={list} size="sm">
                  {texts.more(count - items.length)}
                </Anchor>
              </li>
            )}
          </ul>
        )}
      </div>
      <Button component={Link} to={list} variant="default" size="compact-sm" aria-label={`${texts.review}: ${title}`}>
        {texts.review}
      </Button>
    </li>
  )
}
