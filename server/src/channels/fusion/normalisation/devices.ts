import { listRefreshRates } from './monitors.ts'
import { type Entry, entriesOf, entryOf, joinTexts, toBoolean, toNumber, toText, toWholeNumber } from './values.ts'

export function toBatteries(content: Entry) {
  const isMac = /^(darwin|macos)/i.test(toText(entryOf(content.operatingsystem).kernel_name) ?? '')
  return entriesOf(content.batteries).map((battery) => {
    const volts = (toNumber(battery.voltage) ?? 0) / 1000
    // Under macOS the capacity is the current full charge in mAh, and the design capacity is unknown.
    const designed = isMac ? null : toWholeNumber(battery.capacity)
    const full = isMac
      ? toWholeNumber((toNumber(battery.capacity) ?? 0) * volts || null)
      : toWholeNumber(battery.real_capacity)
    return {
      name: toText(battery.name),
      chemistry: toText(battery.chemistry, 100),
      deviceId:
        joinTexts([toText(battery.manufacturer, 100), toText(battery.serial, 100)], 255)?.replace(', ', '-') ?? null,
      batteryStatus: null,
      designedCapacityMwh: designed,
      fullChargedCapacityMwh: full,
      remainingCapacityPercent: designed && full ? toWholeNumber((100 * full) / designed) : null,
    }
  })
}

export function toPrinters(content: Entry) {
  return entriesOf(content.printers).map((printer) => {
    const [, horizontal, vertical] = /^(\d+)(?:\s*x\s*(\d+))?/i.exec(toText(printer.resolution, 50) ?? '') ?? []
    return {
      name: toText(printer.name),
      port: toText(printer.port, 1000),
      shareName: toText(printer.sharename),
      driverName: toText(printer.driver),
      driverVersion: null,
      comment: toText(printer.comment, 1000),
      caption: toText(printer.description, 1000),
      capabilityDescriptions: null,
      isNetworkPrinter: toBoolean(printer.network) ?? false,
      isDefault: false,
      horizontalResolution: toWholeNumber(horizontal),
      verticalResolution: toWholeNumber(vertical ?? horizontal),
    }
  })
}

export function toVideoControllers(content: Entry) {
  const refreshRates = listRefreshRates(content)
  return entriesOf(content.videos).map((video) => {
    const megabytes = toNumber(video.memory)
    const resolution = formatResolution(video)
    return {
      name: toText(video.name),
      adapterCompatibility: toText(video.manufacturer),
      adapterRam: megabytes === null || megabytes < 0 ? null : String(Math.round(megabytes * 1024 ** 2)),
      videoProcessor: toText(video.chipset),
      videoModeDescription: resolution,
      currentRefreshRate: refreshRates.get(resolution ?? '') ?? null,
    }
  })
}

export function formatResolution({ resolution }: Entry): string | null {
  return toText(resolution, 50)?.replace(/^(\d+)\s*x\s*(\d+)$/i, '$1 x $2') ?? null
}

/** OCS agents have names of their own for the properties of a processor. */
export function toProcessors(content: Entry) {
  const fallbackName = findHardwareProcessor(content)
  return entriesOf(content.cpus).map((cpu) => {
    const cores = toWholeNumber(cpu.core ?? cpu.cores)
    const threads = toWholeNumber(cpu.thread ?? cpu.logical_cpus)
    const mhz = toWholeNumber(cpu.speed)
    return {
      name: findProcessorName(cpu) ?? fallbackName,
      manufacturer: toText(cpu.manufacturer),
      processorId: toText(cpu.id, 64),
      numberOfCores: cores,
      // Some agents count the threads of the processor, others those of each core.
      numberOfLogicalProcessors: cores !== null && threads !== null && threads < cores ? cores * threads : threads,
      maxClockSpeedMhz: mhz,
      currentClockSpeedMhz: toWholeNumber(cpu.current_speed) ?? mhz,
    }
  })
}

function findProcessorName(cpu: Entry): string | null {
  return toText(cpu.name) ?? toText(cpu.type)
}

function findHardwareProcessor(content: Entry): string | null {
  return toText(entryOf(content.hardware).processort)
}

/** The name of the first processor. */
export function findFirstProcessorName(content: Entry): string | null {
  return findProcessorName(entryOf(content.cpus)) ?? findHardwareProcessor(content)
}

export function toInstalledSoftware(content: Entry) {
  return entriesOf(content.softwares).flatMap((software) => {
    const productName = toText(software.name)
    if (productName === null) return []
    return { productName, version: toText(software.version, 100), publisher: toText(software.publisher) }
  })
}
