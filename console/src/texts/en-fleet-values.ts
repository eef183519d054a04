/** Names of values of the API, which several pages show: the same words on all of them. */
export const enIssueNames = {
  'low-disk': 'Low disk space',
  'battery-wear': 'Worn battery',
  'bitlocker-off': 'Disk not encrypted',
  'pending-reboot': 'Restart pending',
  'failed-deployment': 'Failed deployment',
  'missing-patch': 'Missing security patches',
  'stale-agent': 'Not reporting',
  'stale-inventory': 'Outdated inventory',
  'stale-deployment': 'Deployment not started',
  'agent-suspended': 'Agent suspended',
  'software-drift': 'Software removed by hand',
}

export const enAgentStatuses = { Reporting: 'Reporting', Stale: 'Late', Silent: 'Silent', Unknown: 'Never reported' }

export const enHealthStatuses = { Healthy: 'Healthy', Warning: 'Warning', Unreachable: 'Unreachable' }

/** How long ago the oldest missing security patch was released. */
export const enPatchAges = {
  NotScanned: 'Not scanned',
  NoneMissing: 'None missing',
  UpTo7Days: 'Up to 7 days',
  UpTo30Days: 'Up to 30 days',
  UpTo90Days: 'Up to 90 days',
  Older: 'Older than 90 days',
  Unknown: 'Unknown release date',
}
