import { Processor } from '../items.ts'
import { hardwareSection } from './section.ts'

export const processorsSection = hardwareSection('processors', Processor, 'processors', (processor) => ({
  name: processor.name,
  manufacturer: processor.manufacturer,
  processor_id: processor.processorId,
  number_of_cores: processor.numberOfCores,
  number_of_logical_processors: processor.numberOfLogicalProcessors,
  max_clock_speed_mhz: processor.maxClockSpeedMhz,
  current_clock_speed_mhz: processor.currentClockSpeedMhz,
}))
