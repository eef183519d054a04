import { Alert, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { answerOf, api } from '../../../api/client.ts'
import { IconInfoCircle } from '../../../components/icons.ts'
import { Loading } from '../../../components/loading.tsx'
import { NextContact } from '../../../components/next-contact.tsx'
import { ProblemView } from '../../../components/problem-view.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { useFormat } from '../../../texts/format.ts'
import { useWhyTexts } from '../../../texts/why-texts.ts'
import { computerKey } from '../computer-data.ts'
import { verdictKinds } from '../states.ts'
import { Blockers } from './blockers.tsx'
import type { Explanation } from './explanation.ts'
import { Output } from './output.tsx'
import { Part } from './part.tsx'
import { Sources } from './sources.tsx'
import { WorkAndOptions } from './work-and-options.tsx'

type Subject = { packageId: string } | { patchId: number } | { variableId: number }

type WhyProps = {
  id: number
  subject: Subject
  /** What was written when the subject failed. */
  output?: ReactNode
}

/** Why the computer has something, lacks it or waits for it. Read when it is opened. */
export function Why({ id, subject, output }: WhyProps) {
  const { data, error, refetch } = useQuery({
    queryKey: [...computerKey(id), 'explain', subject],
    queryFn: () => answerOf(api.GET('/api/computer/{id}/explain', { params: { path: { id }, query: subject } })),
  })
  if (data) return <Explained explanation={data} output={output} />
  if (error) return <ProblemView error={error} onRetry={refetch} />
  return <Loading height={80} />
}

/** What changes with a contact of the agent. */
const awaitsContact: readonly Explanation['verdict'][] = ['Waiting', 'Due', 'Running']

function Explained({ explanation, output }: { explanation: Explanation; output: ReactNode }) {
  const why = useWhyTexts()
  const format = useFormat()
  const { verdict, nextRunUtc, nextContactUtc, connectedNow, notices, failure, cancellation } = explanation
  return (
    <Stack gap="md">
      <div>
        <StatusBadge kind={verdictKinds[verdict]}>{why.verdicts[verdict]}</StatusBadge>
        <Text mt={4}>
          {why.sentences[verdict]}
          {nextRunUtc && ` ${why.nextRun(format.dateTime(nextRunUtc))}`}
        </Text>
        {awaitsContact.includes(verdict) && (
          <Text size="sm" c="dimmed">
            <NextContact atUtc={nextContactUtc} isConnected={connectedNow} />
          </Text>
        )}
      </div>
      <Blockers blockers={explanation.blockers} />
      {failure && (
        <Part title={failure.failedUtc ? why.failedAt(format.dateTime(failure.failedUtc)) : why.failure}>
          {failure.errorText && <Output label={why.failure} text={failure.errorText} />}
          {output}
        </Part>
      )}
      {cancellation && (
        <Part title={why.cancelledAt(format.dateTime(cancellation.cancelledUtc))}>
          <Text>{why.cancelReasons[cancellation.reason](cancellation.subject ?? '')}</Text>
        </Part>
      )}
      {explanation.sources.length > 0 && (
        <Part title={why.sources}>
          <Sources sources={explanation.sources} />
        </Part>
      )}
      <WorkAndOptions explanation={explanation} />
      {notices.map(({ reason, restart }) => (
        <Alert key={reason} color="blue" icon={<IconInfoCircle aria-hidden />}>
          {why.notices[reason]}
          {reason === 'RebootRequired' &&
            ` ${
              restart
                ? why.restartBy(
                    restart.policyName,
                    format.dateTime(restart.opensUtc),
                    format.dateTime(restart.closesUtc),
                  )
                : why.noRestart
            }`}
        </Alert>
      ))}
    </Stack>
  )
}
