import { ActionIcon, Button, Chip, Fieldset, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconPlus, IconTrash } from '../../../components/icons.ts'
import { NamedField } from '../../../components/named-field.tsx'
import { useRolloutTexts } from '../../../texts/rollout-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type Weekday, weekdays } from '../../rollout/windows.ts'
import { canHaveAnotherWindow, type PlannedTimes, type PlannedWindow, withAnotherWindow } from './rollout-plan.ts'

type WindowsFieldsProps = {
  times: PlannedTimes
  onChange: (times: PlannedTimes) => void
  children?: ReactNode
  /** What the windows are about, if not the start of work. */
  about?: { title: string; hint: string }
  /** Where the body of the request has them. */
  path?: string
}

/** When work may start, for all rings. */
export function WindowsFields({ times, onChange, children, about, path = '' }: WindowsFieldsProps) {
  const { plan: texts } = useTexts().groups
  const { windows, timeZone } = times
  const change = (id: number, changes: Partial<PlannedWindow>) =>
    onChange({ timeZone, windows: windows.map((one) => (one.id === id ? { ...one, ...changes } : one)) })
  return (
    <Fieldset legend={about?.title ?? texts.windows}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {about?.hint ?? (windows.length === 0 ? texts.anyTime : texts.windowsHint)}
        </Text>
        {windows.map((window, index) => (
          <WindowFields
            key={window.id}
            number={index + 1}
            path={`${path}windows.${index}`}
            window={window}
            onChange={(changes) => change(window.id, changes)}
            onRemove={() => onChange({ timeZone, windows: windows.filter(({ id }) => id !== window.id) })}
          />
        ))}
        {canHaveAnotherWindow(times) && (
          <Group>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => onChange(withAnotherWindow(times))}
            >
              {texts.addWindow}
            </Button>
          </Group>
        )}
        {windows.length > 0 && (
          <NamedField name={`${path}timeZone`}>
            <Select
              label={texts.timeZone}
              placeholder={texts.ofEachComputer}
              data={Intl.supportedValuesOf('timeZone')}
              value={timeZone}
              onChange={(chosen) => onChange({ windows, timeZone: chosen })}
              searchable
              clearable
              limit={100}
            />
          </NamedField>
        )}
        {children}
      </Stack>
    </Fieldset>
  )
}

type WindowFieldsProps = {
  number: number
  path: string
  window: PlannedWindow
  onChange: (changes: Partial<PlannedWindow>) => void
  onRemove: () => void
}

function WindowFields({ number, path, window, onChange, onRemove }: WindowFieldsProps) {
  const rollouts = useRolloutTexts()
  const { groups } = useTexts()
  const texts = groups.plan
  return (
    <Fieldset legend={texts.window(number)} variant="unstyled">
      <Stack gap="xs">
        <Chip.Group multiple value={[...window.days]} onChange={(days) => onChange({ days: days as Weekday[] })}>
          <Group gap={6}>
            {weekdays.map((day) => (
              <Chip key={day} value={day} size="xs">
                {rollouts.rollout.weekdays[day]}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <NamedField name={`${path}.start`}>
            <TextInput
              size="xs"
              flex={1}
              type="time"
              label={texts.start}
              value={window.start}
              onChange={(event) => onChange({ start: event.currentTarget.value })}
            />
          </NamedField>
          <NamedField name={`${path}.durationMinutes`}>
            <NumberInput
              size="xs"
              flex={1}
              label={texts.hours}
              min={0.25}
              max={24}
              value={window.hours}
              onChange={(hours) => onChange({ hours })}
            />
          </NamedField>
          <ActionIcon variant="subtle" color="red" aria-label={texts.removeWindow(number)} onClick={onRemove}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Stack>
    </Fieldset>
  )
}
