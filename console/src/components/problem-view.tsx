import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { asProblem, isOffline, isUnreachable, type Problem } from '../api/problem.ts'
import { sessionEvents } from '../api/session.ts'
import { type Texts, useTexts } from '../texts/texts.tsx'
import { IconAlertTriangle, IconRefresh } from './icons.ts'

type ProblemAlertProps = {
  error: unknown /** Content could not be loaded, so there is no input to keep. */
  isLoad?: boolean
}

function explanationOf(problem: Problem, isLoad: boolean, { problems }: Texts): string {
  const sentences = []
  if (isUnreachable(problem)) sentences.push(isOffline(problem) ? problems.offline : problems.unreachable)
  else if (problem.status === 401) sentences.push(problems.sessionHadEnded)
  else return problem.message
  if (!isLoad) sentences.push(problems.inputKept)
  return sentences.join(' ')
}

/** Shows the problem that the API returned. Screen readers announce it. */
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
  return (
    <Alert
      ref={alert}
      tabIndex={-1}
      color="red"
      role="alert"
      title={problem.title || texts.problems.failed}
      icon={<IconAlertTriangle aria-hidden />}
    >
      <Text size="sm" className="breakable">
        {explanationOf(problem, isLoad, texts)}
      </Text>
      {problem.status >= 500 && problem.requestId && (
        <Text size="xs" mt={4}>
          {texts.problems.requestId(problem.requestId)}
        </Text>
      )}
    </Alert>
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
