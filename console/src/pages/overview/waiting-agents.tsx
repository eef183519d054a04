import { Anchor, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { answerOf, api, type QuarantinedAgent } from '../../api/client.ts'
import { Moment } from '../../components/moment.tsx'
import { useEnrolmentTexts } from '../../texts/enrolment-texts.ts'
import { DecisionButtons } from '../enrolment-tokens/decision-buttons.tsx'
import { type Decision, DecisionDialog, quarantineKey } from '../enrolment-tokens/decision-dialog.tsx'
import classes from './overview.module.css'

const maxShown = 3

/** The agents that get no work until a person confirms them, with the decision at hand. */
export function WaitingAgents({ count }: { count: number }) {
  const { waiting } = useEnrolmentTexts().quarantine
  const [decision, setDecision] = useState<Decision>()
  // With the count in the key, an agent that joins or leaves is shown at once.
  const query = { top: maxShown }
  const { data } = useQuery({
    queryKey: [...quarantineKey, query, count],
    queryFn: () => answerOf(api.GET('/api/quarantined-agents', { params: { query } })),
    placeholderData: keepPreviousData,
  })
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {waiting.text}
      </Text>
      <ul className={classes.waitingList}>
        {data?.items.map((agent) => (
          <WaitingAgent key={agent.id} agent={agent} onDecide={setDecision} />
        ))}
      </ul>
      {count > maxShown && (
        <Anchor component={Link} to="/admin/enrolment" size="sm">
          {waiting.all(count)}
        </Anchor>
      )}
      <DecisionDialog decision={decision} onClose={() => setDecision(undefined)} />
    </Stack>
  )
}

function WaitingAgent({ agent, onDecide }: { agent: QuarantinedAgent; onDecide: (decision: Decision) => void }) {
  const { quarantine } = useEnrolmentTexts()
  const { waiting } = quarantine
  const { reportedName, hostname, candidates, address, matchedBy, enrolledAtUtc } = agent
  const computer = candidates.length > 0 ? quarantine.candidates(candidates.length) : hostname
  const properties = matchedBy.map((property) => quarantine.properties[property]).join(', ')
  return (
    <li className={classes.waiting}>
      <div className="breakable">
        <Text size="sm" fw={600}>
          {reportedName}
        </Text>
        <span className={classes.hint}>
          {waiting.matches(computer, properties)}
          {address && ` · ${waiting.from(address)}`} · <Moment at={enrolledAtUtc} />
        </span>
      </div>
      <DecisionButtons agent={agent} onDecide={onDecide} />
    </li>
  )
}
