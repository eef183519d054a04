import { SegmentedControl, Stack } from '@mantine/core'
import { useFilters } from '../../../components/use-filters.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { HardwareInventory } from './inventory/hardware-inventory.tsx'
import { InstalledSoftware } from './inventory/installed-software.tsx'
import { Services } from './inventory/services.tsx'

const sections = { hardware: HardwareInventory, software: InstalledSoftware, services: Services } as const

type SectionName = keyof typeof sections

const isSection = (name: string): name is SectionName => Object.hasOwn(sections, name)

/** What the last inventory found. Each part is read when it is chosen. */
export function InventoryTab({ id }: { id: number }) {
  const { inventory: texts } = useTexts().computer
  const { values, setOnly } = useFilters(['section', 'name'])
  const section = isSection(values.section) ? values.section : 'hardware'
  const Shown = sections[section]
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label={texts.filter}
        value={section}
        onChange={(name) => setOnly({ section: name === 'hardware' ? '' : name })}
        data={Object.keys(sections).map((name) => ({ value: name, label: texts.sections[name as SectionName] }))}
        style={{ alignSelf: 'flex-start' }}
      />
      <Shown id={id} />
    </Stack>
  )
}
