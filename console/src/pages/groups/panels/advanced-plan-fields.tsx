import { Accordion, Checkbox, Fieldset, NumberInput, Stack } from '@mantine/core'
import { DateTimeField } from '../../../components/date-time-field.tsx'
import { NamedField } from '../../../components/named-field.tsx'
import { UserDeadlineFields } from '../../../components/user-deadline/user-deadline-fields.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { CriteriaFields, criteriaNames } from '../../rollout/criteria-fields.tsx'
import type { RolloutPlan } from './rollout-plan.ts'
import { WindowsFields } from './windows-fields.tsx'

type PlanPartProps = { plan: RolloutPlan; onChange: (plan: RolloutPlan) => void }

// The form has these two outside of its advanced part.
const names = criteriaNames.filter((name) => name !== 'minSuccessPercent' && name !== 'soakMinutes')

/** What few rollouts need: maintenance windows, a deadline, and the other criteria. Closed, the defaults apply. */
export function AdvancedPlanFields({ plan, onChange }: PlanPartProps) {
  const { plan: texts } = useTexts().groups
  return (
    <Accordion variant="contained" order={3} keepMounted={false}>
      <Accordion.Item value="advanced">
        <Accordion.Control>{texts.advanced}</Accordion.Control>
        <Accordion.Panel>
          <Stack>
            <WindowsFields times={plan} onChange={(times) => onChange({ ...plan, ...times })}>
              <Checkbox
                label={texts.emergency}
                description={texts.emergencyHint}
                checked={plan.isEmergency}
                onChange={(event) => onChange({ ...plan, isEmergency: event.currentTarget.checked })}
              />
            </WindowsFields>
            <DateTimeField
              label={texts.deadline}
              description={texts.deadlineHint}
              value={plan.deadlineUtc}
              onChange={(deadlineUtc) => onChange({ ...plan, deadlineUtc })}
            />
            <UserDeadlineFields
              value={plan.userDeadline}
              onChange={(userDeadline) => onChange({ ...plan, userDeadline })}
            />
            <NamedField name="catchUpDays">
              <NumberInput
                label={texts.catchUpDays}
                description={texts.catchUpHint}
                allowDecimal={false}
                min={0}
                max={365}
                value={plan.catchUpDays}
                onChange={(catchUpDays) => onChange({ ...plan, catchUpDays })}
              />
            </NamedField>
            <Fieldset legend={texts.criteria}>
              <CriteriaFields
                names={names}
                values={plan.criteria}
                onChange={(change) => onChange({ ...plan, criteria: { ...plan.criteria, ...change } })}
              />
            </Fieldset>
            <Checkbox
              label={texts.lastOfSite}
              description={texts.lastOfSiteHint}
              checked={plan.allowsLastOfSite}
              onChange={(event) => onChange({ ...plan, allowsLastOfSite: event.currentTarget.checked })}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
