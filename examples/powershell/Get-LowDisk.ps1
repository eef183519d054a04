# Lists the computers with nearly full drives. Needs PowerShell 7.
# Set MUSTER_URL, MUSTER_CLIENT_ID and MUSTER_CLIENT_SECRET. The principal needs the role computer.read.
$ErrorActionPreference = 'Stop'
if (-not $env:MUSTER_URL) { throw 'Set MUSTER_URL to the address of the service, which gets the secret.' }
$address = $env:MUSTER_URL.TrimEnd('/')
$isLoopback = ([uri] $address).IsLoopback
if (-not ($address.StartsWith('https://') -or $isLoopback)) { throw "$address is not encrypted. Use https." }

$form = @{
    grant_type    = 'client_credentials'
    client_id     = $env:MUSTER_CLIENT_ID
    client_secret = $env:MUSTER_CLIENT_SECRET
}
$token = (Invoke-RestMethod -Method Post -Uri "$address/api/auth/token" -Body $form -MaximumRedirection 0).access_token
$request = @{
    Authentication       = 'Bearer'
    Token                = ConvertTo-SecureString $token -AsPlainText -Force
    AllowUnencryptedAuthentication = $isLoopback
    # The service does not redirect, and a redirect would take the token to another server.
    MaximumRedirection   = 0
    # A busy service is asked again; PowerShell waits as long as Retry-After says.
    MaximumRetryCount    = 5
    RetryIntervalSec     = 2
}

$path = '/api/fleet/issues/low-disk/computers'
$query = 'top=500'
while ($query) {
    $page = Invoke-RestMethod @request -Uri "$address$path`?$query" -ResponseHeadersVariable headers
    $page.items | Select-Object hostname, domain, lastSeenUtc, detail
    # Only the query of the next page: its address must not lead elsewhere.
    $query = if ("$($headers.Link)" -match '<[^>?]*\?([^>#]+)>; rel="next"') { $Matches[1] } else { $null }
}
