import { Checkbox, Fieldset, NativeSelect, NumberInput, Stack } from '@mantine/core'
import { DateTimeField } from '../../../components/date-time-field.tsx'
import { NamedField } from '../../../components/named-field.tsx'
import { UserDeadlineFields } from '../../../components/user-deadline/user-deadline-fields.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import type { DistributionOptions } from '../group-queries.ts'
import { ScheduleFields } from './schedule-fields.tsx'

type Command = DistributionOptions['commands'][number]

const deeds = ['Install,Update', 'Install', 'Update', 'Uninstall', 'Reinstall'] as const
const extras = ['Force', 'Hidden', 'Optional'] as const

type OptionsFieldsProps = {
  values: DistributionOptions
  onChange: (changes: Partial<DistributionOptions>) => void
}

/** The distribution options as inputs, in the words of their guide. */
export function OptionsFields({ values, onChange }: OptionsFieldsProps) {
  const { groups } = useTexts()
  const { fields } = groups
  const chosenExtras = extras.filter((extra) => values.commands.includes(extra))
  const deed = deeds.find((one) => one === values.commands.filter((name) => !isExtra(name)).join(','))
  const setCommands = (nextDeed: string, nextExtras: readonly string[]) =>
    onChange({ commands: [...nextDeed.split(','), ...nextExtras] as Command[] })
  return (
    <Stack>
      <NamedField name="commands">
        <NativeSelect
          data-autofocus
          label={fields.commands}
          data={deeds.map((one) => ({ value: one, label: groups.deeds[one] }))}
          value={deed ?? 'Install'}
          onChange={(event) => setCommands(event.currentTarget.value, chosenExtras)}
        />
      </NamedField>
      <Checkbox.Group
        label={groups.alsoApplies}
        value={[...chosenExtras]}
        onChange={(next) =>
          setCommands(
            deed ?? 'Install',
            extras.filter((extra) => next.includes(extra)),
          )
        }
      >
        <Stack gap={6} mt={6}>
          {extras.map((extra) => (
            <Checkbox key={extra} value={extra} label={groups.commands[extra]} description={groups.extraHints[extra]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <ScheduleFields schedule={values.schedule} onChange={(schedule) => onChange({ schedule })} />
      <Fieldset legend={groups.usersMay}>
        <Stack gap="xs">
          <NamedField name="revokeCount">
            <NumberInput
              label={fields.revokeCount}
              min={0}
              max={1000}
              value={values.revokeCount}
              onChange={(count) => onChange({ revokeCount: Number(count) || 0 })}
            />
          </NamedField>
          <DateTimeField
            label={fields.revokeDate}
            value={values.revokeDate}
            onChange={(revokeDate) => onChange({ revokeDate })}
          />
          <DateTimeField
            label={fields.optionalDate}
            value={values.optionalDate}
            onChange={(optionalDate) => onChange({ optionalDate })}
          />
        </Stack>
      </Fieldset>
      <UserDeadlineFields value={values.userDeadline} onChange={(userDeadline) => onChange({ userDeadline })} />
      <Checkbox
        label={fields.wol}
        description={groups.wolHint}
        checked={values.wol}
        onChange={(event) => onChange({ wol: event.currentTarget.checked })}
      />
      <Checkbox
        label={fields.preDownload}
        description={groups.preDownloadHint}
        checked={values.preDownload}
        onChange={(event) => onChange({ preDownload: event.currentTarget.checked })}
      />
    </Stack>
  )
}

const isExtra = (name: Command) => extras.some((extra) => extra === name)
