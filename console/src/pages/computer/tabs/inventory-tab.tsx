import { Stack } from '@mantine/core'
import { useFilters } from '../../../components/use-filters.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { ViewSwitch } from '../view-switch.tsx'
import { HardwareInventory } from './inventory/hardware-inventory.tsx'
import { InstalledSoftware } from './inventory/installed-software.tsx'
import { Services } from './inventory/services.tsx'

const sections = { hardware: HardwareInventory, software: InstalledSoftware, services: Services } as const

type SectionName = keyof typeof sections

const isSection = (name: string): name is SectionName => Object.hasOwn(sections, name)

/** What the last inventory found. Each part is read when it is chosen. */
export function InventoryTab({ id }: { id: number }) {
  const { inventory: texts } = useTexts().computer
  const { values, setOnly } = useFilters(['section', 'name'], { section: Object.keys(sections) })
  // Only software is searched by its name.
  const usual = values.name === '' ? 'hardware' : 'software'
  const section = isSection(values.section) ? values.section : usual
  const Shown = sections[section]
  return (
    <Stack gap="md">
      <ViewSwitch
        label={texts.filter}
        value={section}
        onChange={(name) => setOnly({ section: name === 'hardware' ? '' : name })}
        options={Object.keys(sections).map((name) => ({ value: name, label: texts.sections[name as SectionName] }))}
      />
      <Shown id={id} />
    </Stack>
  )
}
