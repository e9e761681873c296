/** Made from openapi/box.json when the app is built. */
declare module "virtual:operations" {
  export const OPERATIONS: Record<string, readonly [method: string, path: string] | undefined>;
}

declare module "*.css";
