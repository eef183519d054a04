import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Figure, Figures } from '../../components/figures.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Age } from './age.tsx'
import type { ComputerPageData } from './computer-data.ts'
import { agentKinds, healthKinds } from './states.ts'

/** How the computer is, who uses it and when it was last heard of: above all tabs. */
export function ComputerHeader({ page }: { page: ComputerPageData }) {
  const { computer: texts } = useTexts()
  const format = useFormat()
  const { computer, operatingSystem, osVersion, loggedOnUser, ipAddress, nextContactUtc } = page
  // An agent that is connected comes whenever it is called.
  const nextContact: [string, ReactNode][] =
    nextContactUtc && !computer.connectedNow ? [[texts.facts.nextContact, format.dateTime(nextContactUtc)]] : []
  const facts: [string, ReactNode][] = [
    [texts.facts.user, loggedOnUser ?? texts.nobody],
    [texts.facts.operatingSystem, [operatingSystem, osVersion].filter(Boolean).join(' · ') || texts.unknown],
    [texts.facts.lastContact, computer.lastSeenUtc ? <Age key="contact" atUtc={computer.lastSeenUtc} /> : texts.never],
    ...nextContact,
    [texts.facts.address, ipAddress ?? texts.unknown],
  ]
  return (
    <Group justify="space-between" gap="0.75rem 2rem">
      <States page={page} />
      <Figures isSmall>
        {facts.map(([name, value]) => (
          <Figure key={name} name={name}>
            {value}
          </Figure>
        ))}
      </Figures>
    </Group>
  )
}

function States({ page }: { page: ComputerPageData }) {
  const { computer: texts } = useTexts()
  const format = useFormat()
  const { healthStatus, agentStatus, rebootRequired, suspensionMode, suspendedUntil, computer } = page
  return (
    <Group gap="xs">
      {page.role === 'MasterServer' && <StatusBadge kind="neutral">{texts.server}</StatusBadge>}
      {page.role === 'MasterServer' && agentStatus === 'Unknown' ? (
        <Text size="sm">{texts.serverHint}</Text>
      ) : (
        <>
          <StatusBadge kind={healthKinds[healthStatus]}>{texts.health[healthStatus]}</StatusBadge>
          <StatusBadge kind={agentKinds[agentStatus]}>{texts.agent[agentStatus]}</StatusBadge>
        </>
      )}
      {computer.connectedNow && <StatusBadge kind="good">{texts.connectedNow}</StatusBadge>}
      {rebootRequired && <StatusBadge kind="warning">{texts.rebootRequired}</StatusBadge>}
      {suspensionMode && (
        <StatusBadge kind="warning">
          {texts.suspensions[suspensionMode]}
          {suspendedUntil && ` · ${texts.until(format.dateTime(suspendedUntil))}`}
        </StatusBadge>
      )}
      {computer.isPxeActive && <StatusBadge kind="running">{texts.pxeActive}</StatusBadge>}
    </Group>
  )
}
