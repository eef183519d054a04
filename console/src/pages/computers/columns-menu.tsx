import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { IconColumns } from '../../components/icons.ts'
import type { TableColumn } from '../../components/virtual-table.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { FleetComputer } from './list-address.ts'
import { standardColumns } from './use-columns.tsx'

type ColumnsMenuProps = {
  columns: readonly TableColumn<FleetComputer>[]
  shown: readonly string[]
  onChange: (shown: readonly string[]) => void
}

/** Chooses the columns. The name is always shown. */
export function ColumnsMenu({ columns: [, ...columns], shown, onChange }: ColumnsMenuProps) {
  const { computers: texts } = useTexts()
  const toggle = (id: string) => onChange(shown.includes(id) ? shown.filter((other) => other !== id) : [...shown, id])
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" size="compact-sm" fw={500} leftSection={<IconColumns size={14} aria-hidden />}>
          {texts.columnsTitle}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.columnsTitle}>
        <Stack gap="xs">
          {columns.map(({ id, title }) => (
            <Checkbox key={id} size="xs" label={title} checked={shown.includes(id)} onChange={() => toggle(id)} />
          ))}
          <Button variant="subtle" size="compact-xs" onClick={() => onChange(standardColumns)}>
            {texts.columnsReset}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
