// The published client and viewer, unchanged, and what a test asks of them.
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { DesktopViewer } from "@sandbox-agent/react";
import { SandboxAgent } from "sandbox-agent";

const heard = { connected: 0, disconnected: 0, errors: [] };

async function connect(baseUrl, token) {
  const client = await SandboxAgent.connect({ baseUrl, token, skipHealthCheck: true });
  await client.startDesktopStream();
  return client;
}

/** `connectDesktopStream()`, shown in a video of our own. */
async function stream(baseUrl, token) {
  const client = await connect(baseUrl, token);
  const session = client.connectDesktopStream({ accessToken: token });
  const video = document.createElement("video");
  video.muted = true;
  video.autoplay = true;
  document.body.append(video);
  session.onTrack((media) => {
    video.srcObject = media;
    void video.play();
  });
  session.onConnect(() => heard.connected++);
  session.onDisconnect(() => heard.disconnected++);
  session.onError((error) => heard.errors.push(String(error.message ?? error)));
  return session;
}

/** `<DesktopViewer>`, mounted; what unmounts it. */
async function mount(baseUrl, token) {
  const client = await connect(baseUrl, token);
  const place = document.createElement("div");
  place.style.width = "800px";
  document.body.append(place);
  const root = createRoot(place);
  root.render(createElement(DesktopViewer, {
    client,
    height: 600,
    onConnect: () => heard.connected++,
    onDisconnect: () => heard.disconnected++,
    onError: (error) => heard.errors.push(String(error.message ?? error)),
  }));
  return () => {
    root.unmount();
    place.remove();
  };
}

/** The colour that the video shows at a point of what is streamed; nothing before there is a picture. */
function colour(x, y) {
  const video = document.querySelector("video");
  if (video === null || !video.videoWidth) return null;
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  const context = canvas.getContext("2d");
  context.drawImage(video, 0, 0);
  return [...context.getImageData(x, y, 1, 1).data].slice(0, 3);
}

Object.assign(globalThis, { heard, stream, mount, colour });
