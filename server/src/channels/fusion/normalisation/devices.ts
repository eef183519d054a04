import { type Entry, entriesOf, entryOf, listed, numberOf, told, whole, yesNo } from './values.ts'

export function batteries(content: Entry) {
  const isMac = /^(darwin|macos)/i.test(told(entryOf(content.operatingsystem).kernel_name) ?? '')
  return entriesOf(content.batteries).map((battery) => {
    const volts = (numberOf(battery.voltage) ?? 0) / 1000
    // Under macOS the capacity is what it can still hold, in mAh, and nothing tells of the design.
    const designed = isMac ? null : whole(battery.capacity)
    const full = isMac ? whole((numberOf(battery.capacity) ?? 0) * volts || null) : whole(battery.real_capacity)
    return {
      name: told(battery.name),
      chemistry: told(battery.chemistry, 100),
      deviceId: listed([told(battery.manufacturer, 100), told(battery.serial, 100)], 255)?.replace(', ', '-') ?? null,
      batteryStatus: null,
      designedCapacityMwh: designed,
      fullChargedCapacityMwh: full,
      remainingCapacityPercent: designed && full ? whole((100 * full) / designed) : null,
    }
  })
}

export function printers(content: Entry) {
  return entriesOf(content.printers).map((printer) => {
    const [, horizontal, vertical] = /^(\d+)(?:\s*x\s*(\d+))?/i.exec(told(printer.resolution, 50) ?? '') ?? []
    return {
      name: told(printer.name),
      port: told(printer.port, 1000),
      shareName: told(printer.sharename),
      driverName: told(printer.driver),
      driverVersion: null,
      comment: told(printer.comment, 1000),
      caption: told(printer.description, 1000),
      capabilityDescriptions: null,
      isNetworkPrinter: yesNo(printer.network) ?? false,
      isDefault: false,
      horizontalResolution: whole(horizontal),
      verticalResolution: whole(vertical ?? horizontal),
    }
  })
}

export function videoControllers(content: Entry) {
  return entriesOf(content.videos).map((video) => {
    const megabytes = numberOf(video.memory)
    return {
      name: told(video.name),
      adapterCompatibility: told(video.manufacturer),
      adapterRam: megabytes === null || megabytes < 0 ? null : String(Math.round(megabytes * 1024 ** 2)),
      videoProcessor: told(video.chipset),
      videoModeDescription: resolutionOf(video),
      currentRefreshRate: null,
    }
  })
}

export function resolutionOf({ resolution }: Entry): string | null {
  return told(resolution, 50)?.replace(/^(\d+)\s*x\s*(\d+)$/i, '$1 x $2') ?? null
}

export function processors(content: Entry) {
  return entriesOf(content.cpus).map((cpu) => {
    const [cores, threads, mhz] = [whole(cpu.core), whole(cpu.thread), whole(cpu.speed)]
    return {
      name: told(cpu.name),
      manufacturer: told(cpu.manufacturer),
      processorId: told(cpu.id, 64),
      numberOfCores: cores,
      // Some agents count the threads of the processor, some those of each core.
      numberOfLogicalProcessors: cores !== null && threads !== null && threads < cores ? cores * threads : threads,
      maxClockSpeedMhz: mhz,
      currentClockSpeedMhz: mhz,
    }
  })
}

export function installedSoftware(content: Entry) {
  return entriesOf(content.softwares).flatMap((software) => {
    const productName = told(software.name)
    if (productName === null) return []
    return { productName, version: told(software.version, 100), publisher: told(software.publisher) }
  })
}
