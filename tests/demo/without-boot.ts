const properties = ['address', 'fetchedAtUtc', 'message', 'reportedAtUtc', 'reportedFrom', 'status']

export const unseenBootValues = [
  ...properties.map((name) => `BootRequest.${name}`),
  'BootRequest.status=Failed',
  'BootRequest.status=Success',
]

export const unusedBootColumns = ['boot_grants.*', 'computers.os_installed_at']
