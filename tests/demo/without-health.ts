/** What only the background checks of a real service set. */
export const unseenHealthValues = [
  'HealthCheckResult.code',
  'HealthCheckResult.detail',
  'HealthCheckResult.name',
  'HealthCheckResult.sinceUtc',
  'HealthCheckResult.status',
  'HealthCheckResult.status=failed',
  'HealthCheckResult.status=passed',
  'HealthCheckResult.status=warning',
  'Readiness.status=degraded',
  'Readiness.status=unavailable',
]
