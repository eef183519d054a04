import { Accordion, Button, Fieldset, Group, Stack, Text } from '@mantine/core'
import { useConvergenceTexts } from '../../../texts/convergence-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { CriteriaFields } from '../../rollout/criteria-fields.tsx'
import type { ConvergencePlan } from './convergence-plan.ts'
import { WindowsFields } from './windows-fields.tsx'

type TimesFieldsProps = { plan: ConvergencePlan; onChange: (plan: ConvergencePlan) => void }

/** When the work of waves may start, and when they continue. Closed, all stays as it is. */
export function ConvergenceTimesFields({ plan, onChange }: TimesFieldsProps) {
  const { plan: texts } = useTexts().groups
  const convergence = useConvergenceTexts()
  return (
    <Accordion variant="contained" order={3} keepMounted={false}>
      <Accordion.Item value="advanced">
        <Accordion.Control>{convergence.advanced}</Accordion.Control>
        <Accordion.Panel>
          <Stack>
            {plan.hasWindowsPerRing ? (
              <WindowsPerRing onReplace={() => onChange({ ...plan, hasWindowsPerRing: false })} />
            ) : (
              <WindowsFields times={plan} onChange={(times) => onChange({ ...plan, ...times })} />
            )}
            <Fieldset legend={texts.criteria}>
              <CriteriaFields
                values={plan.criteria}
                onChange={(change) => onChange({ ...plan, criteria: { ...plan.criteria, ...change } })}
              />
            </Fieldset>
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

/** Windows that differ from ring to ring are shown on the rollouts of the waves. They can be replaced only together. */
function WindowsPerRing({ onReplace }: { onReplace: () => void }) {
  const { plan: texts } = useTexts().groups
  const convergence = useConvergenceTexts()
  return (
    <Fieldset legend={texts.windows}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {convergence.windowsPerRing}
        </Text>
        <Group>
          <Button variant="default" size="compact-sm" onClick={onReplace}>
            {convergence.replaceWindows}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}
