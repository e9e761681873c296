// A provider on loopback: any name signs in with any password; what is said of it stands in ACCOUNTS.
import { Provider } from "oidc-provider";

const { PORT, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, AFTER_LOGOUT, ACCOUNTS, JWK } = process.env;
const accounts = JSON.parse(ACCOUNTS);
const client = {
  client_id: CLIENT_ID,
  redirect_uris: [REDIRECT_URI],
  post_logout_redirect_uris: [AFTER_LOGOUT],
  grant_types: ["authorization_code"],
  response_types: ["code"],
  ...(CLIENT_SECRET ? { client_secret: CLIENT_SECRET, token_endpoint_auth_method: "client_secret_basic" } : { token_endpoint_auth_method: "none" }),
};
const provider = new Provider(`http://localhost:${PORT}`, {
  clients: [client],
  jwks: { keys: [JSON.parse(JWK)] },
  cookies: { keys: ["only for tests"] },
  claims: { openid: ["sub"], profile: ["preferred_username", "groups", "quota"], email: ["email", "email_verified"] },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, preferred_username: id, ...accounts[id] }) }),
  ttl: { Session: 3600, Grant: 3600, Interaction: 600, IdToken: 600, AccessToken: 600 },
});
provider.listen(Number(PORT), "127.0.0.1", () => console.log("ready"));
