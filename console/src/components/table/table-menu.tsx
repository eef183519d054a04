import { ActionIcon, Button, Checkbox, Group, Popover, SegmentedControl, Stack, Text } from '@mantine/core'
import { useTableLayoutTexts } from '../../texts/table-layout-texts.ts'
import { IconColumns, IconPin, IconPinFilled } from '../icons.ts'
import type { TableColumn } from './table-props.ts'
import type { Density, TableLayout } from './use-table-layout.ts'

type TableMenuProps<Row> = {
  columns: readonly TableColumn<Row>[]
  /** The columns that are shown, if people choose them. */
  shown?: readonly string[]
  layout: TableLayout
}

const densities: readonly Density[] = ['Comfortable', 'Compact']

/** How a table is laid out: how close its rows are, which columns it shows, and which of them stay in sight. The name always does. */
export function TableMenu<Row>({ columns: [, ...columns], layout, ...props }: TableMenuProps<Row>) {
  const texts = useTableLayoutTexts()
  const shown = props.shown ?? layout.shown ?? columns.map(({ id }) => id)
  const toggle = (id: string) =>
    layout.setShown(shown.includes(id) ? shown.filter((other) => other !== id) : [...shown, id])
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" size="compact-sm" fw={500} leftSection={<IconColumns size={14} aria-hidden />}>
          {texts.title}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.title}>
        <Stack gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={texts.density}
            value={layout.density}
            onChange={(density) => layout.setDensity(density as Density)}
            data={densities.map((value) => ({ value, label: texts.densities[value] }))}
          />
          {columns.map(({ id, title }) => (
            <Group key={id} justify="space-between" wrap="nowrap" gap="xs">
              <Checkbox size="xs" label={title} checked={shown.includes(id)} onChange={() => toggle(id)} />
              <ActionIcon
                variant="subtle"
                size="sm"
                aria-label={texts.pin(title)}
                aria-pressed={layout.pinned.includes(id)}
                onClick={() => layout.togglePin(id)}
              >
                {layout.pinned.includes(id) ? (
                  <IconPinFilled size={14} aria-hidden />
                ) : (
                  <IconPin size={14} aria-hidden />
                )}
              </ActionIcon>
            </Group>
          ))}
          <Text size="xs" c="dimmed" maw={240}>
            {texts.hint}
          </Text>
          <Button variant="subtle" size="compact-xs" onClick={layout.reset}>
            {texts.reset}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
