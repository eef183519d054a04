/** The only operations of the API that anybody may call, or anybody with a token. */
export const withoutRole = new Set([
  'requestToken',
  // People have no token yet.
  'listSignInProviders',
  'whoAmI',
  'getFreeze',
  'listApprovals',
  'getApproval',
  'denyRequest',
  // The roles of the caller decide which events they return.
  'listEvents',
  'streamEvents',
  // The roles of the caller decide what they find.
  'searchFleet',
  'listDecisions',
  // The sections that a document has, and the operations that its changes call, have roles of their own.
  'getDesiredState',
  'planDesiredState',
  'applyDesiredState',
  'getLiveness',
  'getReadiness',
  // Computers without an agent have no credential yet.
  'getInstallScript',
  'getWindowsInstaller',
  'getInstallFile',
])
