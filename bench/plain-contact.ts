import { randomUUID } from 'node:crypto'

export const contactPath = '/agent/v1/contact'

/** The contact of an agent that has nothing to report. */
export const plainContact = {
  runId: randomUUID(),
  agentVersion: '1.0',
  platform: 'Linux',
  environment: 'OperatingSystem',
  bootTimeUtc: '2026-03-14T09:26:53.000Z',
  rebootRequired: false,
  rebootRequiredSource: null,
  suspension: null,
  loggedOnUser: null,
  ipAddress: null,
  settingsHash: null as string | null,
  sections: {},
  wants: [],
}
