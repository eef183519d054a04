import { VideoController } from '../items.ts'
import { hardwareSection } from './section.ts'

export const videoControllersSection = hardwareSection(
  'videoControllers',
  VideoController,
  'video_controllers',
  (video) => ({
    name: video.name,
    adapter_compatibility: video.adapterCompatibility,
    adapter_ram: video.adapterRam,
    video_processor: video.videoProcessor,
    video_mode_description: video.videoModeDescription,
    current_refresh_rate: video.currentRefreshRate,
  }),
)
