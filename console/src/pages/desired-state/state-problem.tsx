import { Alert, Anchor, Button, Group, List, Stack } from '@mantine/core'
import { listMistakes, type StatePlaces } from '@muster/desired-state/in-browsers'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { asProblem } from '../../api/problem.ts'
import { IconAlertTriangle } from '../../components/icons.ts'
import { ProblemAlert } from '../../components/problem-view.tsx'
import { useDesiredStateTexts } from '../../texts/desired-state-texts.ts'
import { textFor, useTexts } from '../../texts/texts.tsx'

type ObjectOfProblem = { section: string; name: string; action?: string; blockers?: string[] }

type Details = {
  changes?: ObjectOfProblem[]
  blockers?: ObjectOfProblem[]
  failed?: ObjectOfProblem & { code?: string; detail?: string }
}

type StateProblemProps = { error: unknown; places: StatePlaces; onPlan: () => void }

/** What the service refused: mistakes with their places in the files, what has changed meanwhile, or the step that failed. */
export function StateProblem({ error, places, onPlan }: StateProblemProps) {
  const texts = useDesiredStateTexts()
  const { approvals } = useTexts()
  const problem = asProblem(error)
  const { changes, blockers, failed } = problem.details as Details
  const mistakes = listMistakes(problem, places)
  if (mistakes.length > 0) return <Listed title={texts.mistake} lines={mistakes} />
  if (problem.code === 'PayloadTooLarge') return <Listed title={texts.documentTooLarge} lines={[]} />
  if (problem.code === 'StalePlan' || problem.code === 'UnexpectedRemovals')
    return (
      <Listed title={texts.stale} lines={listOf(changes).map((change) => describe(change))} color="orange">
        <Button variant="default" onClick={onPlan}>
          {texts.planAgain}
        </Button>
      </Listed>
    )
  if (problem.code === 'StateBlocked')
    return (
      <Listed
        title={texts.blocked}
        lines={listOf(blockers).map((one) => `${describe(one)}: ${listOf(one.blockers).join(', ')}`)}
      />
    )
  if (failed?.code === 'ApprovalRequired')
    return (
      <Listed title={texts.needsApproval(describe(failed))} lines={[]} color="blue">
        <Anchor component={Link} to="/admin/approvals" size="sm">
          {approvals.title}
        </Anchor>
      </Listed>
    )
  if (failed) return <Listed title={texts.refused(describe(failed))} lines={[failed.detail ?? problem.message]} />
  return <ProblemAlert error={error} />

  function describe({ section, name }: ObjectOfProblem): string {
    return `${textFor(texts.sections, section) ?? section}: ${name}`
  }
}

/** A newer service may leave it out. */
const listOf = <T,>(list: T[] | undefined): T[] => (Array.isArray(list) ? list : [])

type ListedProps = { title: string; lines: readonly string[]; color?: string; children?: ReactNode }

function Listed({ title, lines, color = 'red', children }: ListedProps) {
  return (
    <Alert color={color} role="alert" title={title} icon={<IconAlertTriangle aria-hidden />}>
      <Stack gap="xs">
        {lines.length > 0 && (
          <List size="sm">
            {lines.map((line) => (
              <List.Item key={line} className="breakable">
                {line}
              </List.Item>
            ))}
          </List>
        )}
        {children && <Group>{children}</Group>}
      </Stack>
    </Alert>
  )
}
