# Lists the computers with nearly full drives. Needs PowerShell 7.
# Set MUSTER_URL, MUSTER_CLIENT_ID and MUSTER_CLIENT_SECRET. The principal needs the role computer.read.
$ErrorActionPreference = 'Stop'
$address = if ($env:MUSTER_URL) { $env:MUSTER_URL.TrimEnd('/') } else { 'http://127.0.0.1:5057' }

$form = @{
    grant_type    = 'client_credentials'
    client_id     = $env:MUSTER_CLIENT_ID
    client_secret = $env:MUSTER_CLIENT_SECRET
}
$token = (Invoke-RestMethod -Method Post -Uri "$address/api/auth/token" -Body $form).access_token
$request = @{
    Authentication       = 'Bearer'
    Token                = ConvertTo-SecureString $token -AsPlainText -Force
    AllowUnencryptedAuthentication = $address.StartsWith('http://127.0.0.1')
    # A busy service is asked again; PowerShell waits as long as Retry-After says.
    MaximumRetryCount    = 5
    RetryIntervalSec     = 2
}

$next = '/api/fleet/issues/low-disk/computers?top=500'
while ($next) {
    $page = Invoke-RestMethod @request -Uri "$address$next" -ResponseHeadersVariable headers
    $page.items | Select-Object hostname, domain, lastSeenUtc, detail
    $next = if ("$($headers.Link)" -match '<([^>]+)>; rel="next"') { $Matches[1] } else { $null }
}
