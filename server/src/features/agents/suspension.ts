import { enumOf } from '../../platform/schema.ts'

export const SuspensionMode = enumOf(['Suspended', 'PresentationMode', 'MaintenanceMode'], {
  title: 'SuspensionMode',
  description: 'While it is set, the agent gets no work',
})
