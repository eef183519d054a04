import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { asProblem, isOffline, isUnreachable, type Problem } from '../api/problem.ts'
import { sessionEvents } from '../api/session.ts'
import { type Texts, useTexts } from '../texts/texts.tsx'
import { useOtherErrors } from './field-reasons.ts'
import { IconAlertTriangle, IconRefresh } from './icons.ts'
import { useProblemSentence } from './problem-sentence.ts'

type ProblemAlertProps = {
  error: unknown /** Content could not be loaded, so there is no input to keep. */
  isLoad?: boolean
}

/** What the console itself knows about the problem: that the service, or the session, is away. */
function absenceOf(problem: Problem, isLoad: boolean, { problems }: Texts): string | undefined {
  const isAway = isUnreachable(problem)
  if (!isAway && problem.status !== 401) return undefined
  const absence = isOffline(problem) ? problems.offline : isAway ? problems.unreachable : problems.sessionHadEnded
  return isLoad ? absence : `${absence} ${problems.inputKept}`
}

/** Says what went wrong. Screen readers announce it. The words of the API are in the details. */
export function ProblemAlert({ error, isLoad = false }: ProblemAlertProps) {
  const texts = useTexts()
  const alert = useRef<HTMLDivElement>(null)
  const isPast = useIsPast(error)
  useEffect(() => {
    // A loading button loses the focus; in that case the problem takes it.
    if (error && document.activeElement === document.body) alert.current?.focus()
  }, [error])
  if (!error || isPast) return null
  const problem = asProblem(error)
  const absence = absenceOf(problem, isLoad, texts)
  return (
    <Alert
      ref={alert}
      tabIndex={-1}
      color="red"
      role="alert"
      title={texts.problems.failed}
      icon={<IconAlertTriangle aria-hidden />}
    >
      {absence === undefined ? <Explanation problem={problem} /> : <Text size="sm">{absence}</Text>}
    </Alert>
  )
}

/** A problem in a line, where there is no room for more: in a toast. */
export function ProblemLine({ error }: { error: unknown }) {
  const texts = useTexts()
  const problem = asProblem(error)
  const { text, isComplete } = useProblemSentence(problem)
  return <>{absenceOf(problem, true, texts) ?? (isComplete ? text : `${text} ${problem.message}`)}</>
}

function Explanation({ problem }: { problem: Problem }) {
  const { problems } = useTexts()
  const { text, isComplete } = useProblemSentence(problem)
  const { title, message, errors, code, requestId } = problem
  const isAllAtFields = useOtherErrors(errors).length === 0 && errors.length > 0
  return (
    <Stack gap={4}>
      <Text size="sm">{isAllAtFields ? problems.atField : text}</Text>
      <details open={!isComplete && !isAllAtFields}>
        <Text component="summary" size="xs">
          {problems.details}
        </Text>
        <Text size="sm" className="breakable">
          {message || title}
        </Text>
        {errors.map(({ name, reason }) => (
          <Text key={`${name} ${reason}`} size="sm" className="breakable">
            {name}: {reason}
          </Text>
        ))}
        <Text size="xs" className="breakable">
          {[code, requestId && problems.requestId(requestId)].filter(Boolean).join(' · ')}
        </Text>
      </details>
    </Stack>
  )
}

/** Whether the problem was the end of a session, and the person has signed in again since. */
function useIsPast(error: unknown): boolean {
  const [past, setPast] = useState<unknown>()
  const hasEndedSession = Boolean(error) && asProblem(error).status === 401
  useEffect(() => {
    if (!hasEndedSession) return
    const markPast = () => setPast(error)
    sessionEvents.addEventListener('renewed', markPast)
    return () => sessionEvents.removeEventListener('renewed', markPast)
  }, [hasEndedSession, error])
  return hasEndedSession && past === error
}

type ProblemViewProps = {
  error: unknown
  onRetry: () => unknown
  isRetrying?: boolean
  /** Where to go on if the thing does not exist; the start page unless given. */
  wayOn?: { to: string; label: string }
}

/** Shown instead of content that could not be loaded. */
export function ProblemView({ error, onRetry, isRetrying = false, wayOn }: ProblemViewProps) {
  const texts = useTexts()
  const { to, label } = wayOn ?? { to: '/', label: texts.shell.toStart }
  return (
    <Stack align="flex-start" gap="sm" maw={640}>
      <ProblemAlert error={error} isLoad />
      <Group gap="sm">
        {asProblem(error).status === 404 && (
          <Button component={Link} to={to}>
            {label}
          </Button>
        )}
        <Button
          variant="default"
          loading={isRetrying}
          onClick={onRetry}
          leftSection={<IconRefresh size={16} aria-hidden />}
        >
          {texts.common.tryAgain}
        </Button>
      </Group>
    </Stack>
  )
}
