export function NewPrincipalPage() {
  return null
}
