import type { Schemas } from '../../../../api/client.ts'
import { useFormat } from '../../../../texts/format.ts'
import { useTexts } from '../../../../texts/texts.tsx'
import { ItemsSection } from './items-section.tsx'

type DeviceLists = Pick<
  Schemas['ComputerInventory'],
  'processors' | 'batteries' | 'videoControllers' | 'monitors' | 'printers'
>

export function Devices({ lists }: { lists: DeviceLists }) {
  const { inventory: texts } = useTexts().computer
  const format = useFormat()
  return (
    <>
      <ItemsSection title={texts.processors} items={lists.processors}>
        {(one) => [
          [texts.name, one.name],
          [texts.cores, one.numberOfCores],
          [texts.threads, one.numberOfLogicalProcessors],
          [texts.clock, one.maxClockSpeedMhz === null ? null : `${format.number(one.maxClockSpeedMhz)} MHz`],
        ]}
      </ItemsSection>
      <ItemsSection title={texts.batteries} items={lists.batteries}>
        {(one) => [
          [texts.name, one.name],
          [texts.batteryHealth, one.healthPercent === null ? null : format.percent(one.healthPercent / 100)],
          [texts.state, one.batteryStatus],
        ]}
      </ItemsSection>
      <ItemsSection title={texts.video} items={lists.videoControllers}>
        {(one) => [
          [texts.name, one.name],
          [texts.mode, one.videoModeDescription],
        ]}
      </ItemsSection>
      <ItemsSection title={texts.monitors} items={lists.monitors}>
        {(one) => [
          [texts.name, one.monitorName ?? one.caption],
          [texts.serial, one.serialNumber],
          [texts.size, one.monitorSize && `${one.monitorSize}″`],
        ]}
      </ItemsSection>
      <ItemsSection title={texts.printers} items={lists.printers}>
        {(one) => [
          [texts.name, one.name],
          [texts.port, one.port],
          [texts.driver, one.driverName],
        ]}
      </ItemsSection>
    </>
  )
}
