import { Alert, Button, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { asProblem, type Problem, unreachableCode } from '../api/problem.ts'
import { type Texts, useTexts } from '../texts/texts.tsx'
import { IconAlertTriangle, IconRefresh } from './icons.ts'

function explanationOf(problem: Problem, texts: Texts): string {
  if (problem.code === unreachableCode) return texts.problems.unreachable
  if (problem.status === 401) return texts.problems.sessionHadEnded
  return problem.message
}

/** Shows the problem that the API returned. Screen readers announce it. */
export function ProblemAlert({ error }: { error: unknown }) {
  const texts = useTexts()
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A loading button loses the focus; in that case the problem takes it.
    if (error && document.activeElement === document.body) alert.current?.focus()
  }, [error])
  if (!error) return null
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
        {explanationOf(problem, texts)}
      </Text>
      {problem.status >= 500 && problem.requestId && (
        <Text size="xs" mt={4}>
          {texts.problems.requestId(problem.requestId)}
        </Text>
      )}
    </Alert>
  )
}

/** Shown instead of content that could not be loaded. */
export function ProblemView({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const texts = useTexts()
  return (
    <Stack align="flex-start" gap="sm" maw={640}>
      <ProblemAlert error={error} />
      <Button variant="default" onClick={onRetry} leftSection={<IconRefresh size={16} aria-hidden />}>
        {texts.common.tryAgain}
      </Button>
    </Stack>
  )
}
