import { List, Text } from '@mantine/core'
import type { components } from '../api/types.ts'
import { useTexts } from '../texts/texts.tsx'

type Plan = NonNullable<components['schemas']['GroupActivation']['plan']>

const maxPackages = 20

const outcomes = ['install', 'remove', 'offer', 'pending', 'nothingToDo', 'notApplicable'] as const

type Counts = Record<(typeof outcomes)[number], number>

type PlanProps = {
  /** Missing if the caller may not see it. */
  plan: Plan | null | undefined
  isOneComputer?: boolean
}

/** What a deployment will do: on how many computers, and for each package by its name. */
export function DeploymentPlan({ plan, isOneComputer = false }: PlanProps) {
  const { planned } = useTexts().actions
  if (!plan || plan.packages.length === 0) return null
  const describe = (counts: Counts) =>
    outcomes
      .filter((outcome) => counts[outcome] > 0)
      .map((outcome) => planned[outcome](isOneComputer ? null : counts[outcome]))
      .join(', ')
  return (
    <>
      {!isOneComputer && <Text size="sm">{planned.inTotal(describe(plan))}</Text>}
      <List size="sm">
        {plan.packages.slice(0, maxPackages).map(({ packageId, name, version, requiredBy, ...counts }) => (
          <List.Item key={packageId} className="breakable">
            {[name, version].filter(Boolean).join(' ')}: {describe(counts)}
            {requiredBy.length > 0 && ` (${planned.requiredBy(requiredBy.join(', '))})`}
          </List.Item>
        ))}
        {plan.packages.length > maxPackages && (
          <List.Item>{planned.andMore(plan.packages.length - maxPackages)}</List.Item>
        )}
      </List>
    </>
  )
}
