import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Facts } from '../../components/facts.tsx'
import { IconPencil } from '../../components/icons.ts'
import { Moment } from '../../components/moment.tsx'
import { Section } from '../../components/section.tsx'
import { useDeadlineRows } from '../../components/user-deadline/use-deadline-rows.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useCriteriaTexts } from '../../texts/criteria-texts.ts'
import { useFormat } from '../../texts/format.ts'
import { type RolloutTexts, useRolloutTexts } from '../../texts/rollout-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { type CriterionName, criteriaNames, minutesOf } from './criteria-fields.tsx'
import { hasEnded, type Rollout } from './describe.ts'
import { EditCriteria } from './edit-criteria.tsx'
import { hasWindows } from './windows.ts'

type CriteriaProps = { rollout: Rollout; etag: string }

/** When the rollout continues and when it pauses itself, and what delays it. */
export function Criteria({ rollout, etag }: CriteriaProps) {
  const rollouts = useRolloutTexts()
  const { common } = useTexts()
  const facts = useCriteriaTexts()
  const { criteria: texts, actions, rollout: words } = rollouts
  const format = useFormat()
  const [isOpen, panel] = useDisclosure()
  const mayEdit = useHasRole('activation.execute') && !hasEnded(rollout)
  const shownValue = (name: CriterionName) => {
    const value = rollout.criteria[name]
    if (value === null) return texts.never
    const minutes = minutesOf(name, value)
    return minutes === undefined ? format.number(value) : common.duration(minutes)
  }
  const deadlineRows = useDeadlineRows(rollout.userDeadline)
  const { deadlineUtc, catchUpDays, catchUpUntilUtc, timeZone } = rollout
  return (
    <Section
      title={texts.title}
      actions={
        mayEdit && (
          <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={panel.open}>
            {actions.edit}
          </Button>
        )
      }
    >
      <Facts
        rows={[
          ...criteriaNames.map((name) => [{ ...texts, ...facts }[name], shownValue(name)] as const),
          [words.windows, shownWindows(rollout, words)],
          [words.timeZone, hasWindows(rollout) ? (timeZone ?? words.ofEachComputer) : null],
          [words.deadline, deadlineUtc ? <Moment key="deadline" at={deadlineUtc} /> : words.noDeadline],
          ...deadlineRows,
          [words.catchUpDays, format.number(catchUpDays)],
          [words.catchUpUntil, catchUpUntilUtc && <Moment key="until" at={catchUpUntilUtc} />],
        ]}
      />
      {isOpen && <EditCriteria rollout={rollout} etag={etag} onClose={panel.close} />}
    </Section>
  )
}

/** The windows themselves are part of their rings. */
function shownWindows(rollout: Rollout, words: RolloutTexts['rollout']): string {
  if (rollout.emergency) return words.emergency
  return hasWindows(rollout) ? words.ofRings : words.anyTime
}
