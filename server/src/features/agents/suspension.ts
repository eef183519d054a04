import { enumOf, type Static } from '../../platform/schema.ts'

export const SuspensionMode = enumOf(['Suspended', 'PresentationMode', 'MaintenanceMode'], {
  title: 'SuspensionMode',
  description: 'Why the agent is suspended. A suspended agent gets no work.',
})

export type SuspensionModeName = Static<typeof SuspensionMode>
