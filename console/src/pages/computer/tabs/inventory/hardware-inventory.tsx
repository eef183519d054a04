import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { answerOf, api, type Schemas } from '../../../../api/client.ts'
import { DataAge } from '../../../../components/data-age.tsx'
import { Facts } from '../../../../components/facts.tsx'
import { Section } from '../../../../components/section.tsx'
import { useFormat } from '../../../../texts/format.ts'
import { useTexts } from '../../../../texts/texts.tsx'
import { computerKey } from '../../computer-data.ts'
import { TabContent } from '../tab-content.tsx'
import { Devices } from './devices.tsx'
import { Disks } from './disks.tsx'
import classes from './hardware-inventory.module.css'
import { ItemsSection } from './items-section.tsx'

type Inventory = Schemas['ComputerInventory']

export function HardwareInventory({ id }: { id: number }) {
  const query = useQuery({
    queryKey: [...computerKey(id), 'inventory'],
    queryFn: () => answerOf(api.GET('/api/computer/{id}/inventory', { params: { path: { id } } })),
  })
  return <TabContent query={query}>{(inventory) => <Hardware inventory={inventory} />}</TabContent>
}

function Hardware({ inventory }: { inventory: Inventory }) {
  const { inventory: texts } = useTexts().computer
  const { computer, systemInfo, bios, ...lists } = inventory
  return (
    <Stack gap="sm">
      {computer.inventoryDate ? (
        <DataAge atUtc={computer.inventoryDate} />
      ) : (
        <Text size="sm" c="dimmed">
          {texts.never}
        </Text>
      )}
      <div className={classes.columns}>
        <SystemSection system={systemInfo} />
        <Disks disks={lists.disks} />
        <ItemsSection title={texts.network} items={lists.networkAdapters}>
          {(adapter) => [
            [texts.name, adapter.description ?? adapter.serviceName],
            [texts.address, adapter.ipAddress],
            [texts.mac, adapter.macAddress],
            [texts.gateway, adapter.defaultGateway],
            [texts.dns, adapter.dnsServer],
            [texts.connection, adapter.connectionType],
          ]}
        </ItemsSection>
        <Section title={texts.firmware}>
          <Facts
            rows={[
              [texts.manufacturer, bios.manufacturer],
              [texts.version, bios.smBiosVersion ?? bios.version],
              [texts.date, systemInfo.biosDate],
              [texts.serial, bios.serialNumber],
              [texts.uuid, bios.uuid],
            ]}
          />
        </Section>
        <Devices lists={lists} />
      </div>
    </Stack>
  )
}

function SystemSection({ system }: { system: Inventory['systemInfo'] }) {
  const { inventory: texts } = useTexts().computer
  const format = useFormat()
  return (
    <Section title={texts.system}>
      <Facts
        rows={[
          [texts.fqdn, system.fqdn],
          [texts.operatingSystem, system.operatingSystem],
          [texts.version, system.osVersion],
          [texts.build, system.osBuild],
          [texts.architecture, formatArchitecture(system)],
          [texts.language, system.language],
          [texts.timeZone, system.timeZone],
          [texts.processor, system.processorName],
          [texts.memory, system.memoryMb === null ? null : format.memory(system.memoryMb)],
          [texts.user, system.loggedOnUser ?? system.osLogin],
          [texts.screen, system.screenResolution],
          [texts.virtual, system.vmType],
        ]}
      />
    </Section>
  )
}

/** The one spelling for all sources, with the reported one if that differs. */
function formatArchitecture({ architecture, reportedArchitecture }: Inventory['systemInfo']): string | null {
  const isSame = !reportedArchitecture || reportedArchitecture === architecture
  return isSame ? architecture : `${architecture} (${reportedArchitecture})`
}
