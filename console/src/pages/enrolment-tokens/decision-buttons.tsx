import { Button, Group } from '@mantine/core'
import type { QuarantinedAgent } from '../../api/client.ts'
import { useEnrolmentTexts } from '../../texts/enrolment-texts.ts'
import type { Decision } from './decision-dialog.tsx'

type DecisionButtonsProps = { agent: QuarantinedAgent; onDecide: (decision: Decision) => void }

/** Open the question whether an agent in quarantine is confirmed or rejected. */
export function DecisionButtons({ agent, onDecide }: DecisionButtonsProps) {
  const { quarantine } = useEnrolmentTexts()
  const button = (label: string, isConfirmation: boolean) => (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`${label}: ${agent.reportedName}`}
      onClick={() => onDecide({ agent, isConfirmation })}
    >
      {label}
    </Button>
  )
  return (
    <Group gap="xs">
      {button(quarantine.confirm, true)}
      {button(quarantine.reject, false)}
    </Group>
  )
}
